internal import NetcoreHTTP

/// Which options a request sets itself. All others may come from its client's defaults.
package struct OwnOptions: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    private init(bit: UInt32) { rawValue = 1 << bit }

    package static let serializer = OwnOptions(bit: 0)
    package static let usesCDN = OwnOptions(bit: 1)
    package static let usesHTTPS = OwnOptions(bit: 2)
    package static let packsBodyFrom = OwnOptions(bit: 3)
    package static let connectTimeout = OwnOptions(bit: 4)
    package static let firstByteTimeout = OwnOptions(bit: 5)
    package static let idleTimeout = OwnOptions(bit: 6)
    package static let totalTimeout = OwnOptions(bit: 7)
    package static let minimumRate = OwnOptions(bit: 8)
    package static let followsRedirects = OwnOptions(bit: 9)
    package static let allowsInsecureRedirects = OwnOptions(bit: 10)
    package static let decodesContent = OwnOptions(bit: 11)
    package static let usesCookies = OwnOptions(bit: 12)
    package static let priority = OwnOptions(bit: 13)
    package static let receiveRate = OwnOptions(bit: 14)
    package static let sendRate = OwnOptions(bit: 15)
    package static let interface = OwnOptions(bit: 16)
    package static let allowsMetered = OwnOptions(bit: 17)
    package static let progressInterval = OwnOptions(bit: 18)
    package static let receivesInterim = OwnOptions(bit: 19)
    package static let isSentOnce = OwnOptions(bit: 20)
    package static let allowsUncleanEnd = OwnOptions(bit: 21)
    package static let cacheMode = OwnOptions(bit: 22)
    package static let cacheTimeToLive = OwnOptions(bit: 23)
    package static let cacheKeepsErrors = OwnOptions(bit: 24)
    package static let cacheScope = OwnOptions(bit: 25)
    package static let cacheVersion = OwnOptions(bit: 26)
    package static let authentication = OwnOptions(bit: 27)
    package static let duplicates = OwnOptions(bit: 28)
    package static let expectContinue = OwnOptions(bit: 29)
    package static let minimumInterval = OwnOptions(bit: 30)
    package static let rateKey = OwnOptions(bit: 31)

    /// Those whose value changes; all of them where none does, since they were set to what they are.
    static func set(_ options: [(OwnOptions, isOther: Bool)]) -> OwnOptions {
        let changed = options.filter(\.isOther)
        return (changed.isEmpty ? options : changed).reduce(into: []) { $0.insert($1.0) }
    }
}

extension RequestOptions {
    private typealias Take = @Sendable (inout RequestOptions, RequestOptions) -> Void

    /// What a client may set for all its requests.
    private static let takes: [(OwnOptions, Take)] = [
        (.serializer, { $0.serializer = $1.serializer }),
        (.usesCDN, { $0.usesCDN = $1.usesCDN }),
        (.usesHTTPS, { $0.usesHTTPS = $1.usesHTTPS }),
        (.packsBodyFrom, { $0.packsBodyFrom = $1.packsBodyFrom }),
        (.connectTimeout, { $0.timeouts.connect = $1.timeouts.connect }),
        (.firstByteTimeout, { $0.timeouts.firstByte = $1.timeouts.firstByte }),
        (.idleTimeout, { $0.timeouts.idle = $1.timeouts.idle }),
        (.totalTimeout, { $0.timeouts.total = $1.timeouts.total }),
        (.minimumRate, { $0.timeouts.minimumRate = $1.timeouts.minimumRate }),
        (.followsRedirects, { $0.redirectPolicy.isFollowing = $1.redirectPolicy.isFollowing }),
        (.allowsInsecureRedirects, { $0.redirectPolicy.allowsInsecure = $1.redirectPolicy.allowsInsecure }),
        (.decodesContent, { $0.decodesContent = $1.decodesContent }),
        (.usesCookies, { $0.usesCookies = $1.usesCookies }),
        (.priority, { $0.priority = $1.priority }),
        (.receiveRate, { $0.rates.receive = $1.rates.receive }),
        (.sendRate, { $0.rates.send = $1.rates.send }),
        (.interface, { $0.network.interface = $1.network.interface }),
        (.allowsMetered, { $0.network.allowsMetered = $1.network.allowsMetered }),
        (.progressInterval, { $0.progressInterval = $1.progressInterval }),
        (.receivesInterim, { $0.receivesInterim = $1.receivesInterim }),
        (.isSentOnce, { $0.isSentOnce = $1.isSentOnce }),
        (.expectContinue, { $0.expectTimeout = $1.expectTimeout }),
        (.allowsUncleanEnd, { $0.allowsUncleanEnd = $1.allowsUncleanEnd }),
        (.cacheMode, { $0.cache.mode = $1.cache.mode }),
        (.cacheTimeToLive, { $0.cache.timeToLive = $1.cache.timeToLive }),
        (.cacheKeepsErrors, { $0.cache.keepsErrors = $1.cache.keepsErrors }),
        (.cacheScope, { $0.cache.scope = $1.cache.scope }),
        (.cacheVersion, { $0.cache.version = $1.cache.version }),
        (.duplicates, { $0.duplicates = $1.duplicates }),
        (.minimumInterval, { $0.minimumInterval = $1.minimumInterval }),
        (.rateKey, { $0.rateKey = $1.rateKey }),
    ]

    /// Takes what is set of another's, for a client's defaults.
    mutating func takeDefaults(_ other: RequestOptions) {
        take(other, isBare: false)
        own = other.own
    }

    /// Takes what it does not set itself from a client's defaults.
    ///
    /// - Parameter isBare: credentials do not go with bare requests.
    mutating func take(_ defaults: RequestOptions, isBare: Bool) {
        let taken = defaults.own.subtracting(own)
        guard !taken.isEmpty else { return }
        for (option, take) in Self.takes where taken.contains(option) { take(&self, defaults) }
        if taken.contains(.authentication), !isBare { authentication = defaults.authentication }
    }
}

extension Request {
    /// Sets an option, which then wins over the client's default.
    package mutating func set(_ option: OwnOptions, _ change: (inout RequestOptions) -> Void) {
        change(&options)
        options.own.formUnion(option)
    }

    /// With the client's defaults in the place of options that it does not set.
    func taking(_ defaults: RequestOptions?) -> Request {
        guard let defaults, !defaults.own.isSubset(of: options.own) else { return self }
        var result = self
        result.options.take(defaults, isBare: isBare)
        return result
    }
}
