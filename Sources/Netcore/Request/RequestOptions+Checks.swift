internal import NetcoreHTTP
internal import NetcoreStorage

extension RequestOptions {
    /// Refuses what no request can be sent with. The doors that set one option at a time refuse it there; of a Swift property it is
    /// the error of the dispatch, and names the property.
    func check() throws(NetcoreError) {
        for (value, name) in [
            (timeouts.connect, "timeouts.connect"), (timeouts.firstByte, "timeouts.firstByte"),
            (timeouts.idle, "timeouts.idle"), (timeouts.total, "timeouts.total"), (expectTimeout, "expectContinue"),
        ] where !(0...TimeoutSet.maximum).contains(value) {
            throw NetcoreError(
                .invalidArgument, argument: name, "must be from 0 to \(TimeoutSet.maximum) ms; nil or zero for none")
        }
        for (value, name) in [
            (rates.receive, "maximumReceiveRate"), (rates.send, "maximumSendRate"), (packsBodyFrom, "packsBodyFrom"),
            (progressInterval, "progressInterval"),
        ] {
            if let value, value < 0 { throw NetcoreError(.invalidArgument, argument: name, "must not be negative") }
        }
        if let networkWait, !(1...86_400_000).contains(networkWait) {
            throw NetcoreError(.invalidArgument, argument: "networkWait", "must be 1 millisecond to 24 hours")
        }
        for tag in invalidatedTags { try Self.check(tag: tag, "invalidatedTags") }
        if tags.count > 1 { for tag in tags { try Self.check(tag: tag, "tags") } }
        try limits?.check()
        try cache.check()
        try minimumInterval?.check("minimumInterval")
        try rules.check()
    }
}

extension RequestOptions {
    /// Refuses what could not be one of several tags.
    ///
    /// - Parameter argument: as the error names it.
    package static func check(tag: String, _ argument: String) throws(NetcoreError) {
        guard !tag.isEmpty, !tag.utf8.contains(TagList.separator) else {
            throw NetcoreError(.invalidArgument, argument: argument, "must not be empty or contain U+001F")
        }
    }
}

extension Request.CacheOptions {
    fileprivate func check() throws(NetcoreError) {
        if let timeToLive, timeToLive < .zero {
            throw NetcoreError(.invalidArgument, argument: "cacheOptions.timeToLive", "must not be negative")
        }
        for name in keyFields { try Self.check(keyField: name, "cacheOptions.keyFields") }
    }

    /// - Parameter argument: as the error names it.
    package static func check(keyField name: String, _ argument: String) throws(NetcoreError) {
        guard Syntax.isToken(name.utf8) else {
            throw NetcoreError(.invalidHeader, argument: argument, "a field name must be a token")
        }
    }
}
