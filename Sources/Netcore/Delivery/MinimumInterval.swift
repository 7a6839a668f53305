package import NetcoreHTTP
internal import NetcoreStorage

/// The shortest time between equal requests of one client. Two are equal if method, URL, parameters and body are, or if they have the same
/// key. Counted are requests that go to the server: what a cache answers is none, and neither are further attempts and redirects of one
/// task.
public struct MinimumInterval: Sendable, Hashable {
    /// What becomes of a request that comes too soon.
    public enum Action: Sendable {
        /// It ends with ``NetcoreError/Code/tooSoon``, and ``NetcoreError/retryAfter`` says how long to wait.
        case refuse
        /// It waits in the queue until it is due. One that would wait longer than its total timeout is refused.
        case wait
    }

    /// From 1 ms to 24 h, 2 s by default.
    public var interval: Duration
    public var action: Action
    /// What makes requests equal, in place of method, URL, parameters and body.
    public var key: String?

    public init(_ interval: Duration = .seconds(2), action: Action = .refuse, key: String? = nil) {
        self.interval = interval
        self.action = action
        self.key = key
    }
}

extension MinimumInterval {
    package static let longest = 86_400_000

    /// - Parameter argument: as the error names it.
    package func check(_ argument: String) throws(NetcoreError) {
        guard (1...Int64(Self.longest)).contains(interval.milliseconds) else {
            throw NetcoreError(.invalidArgument, argument: argument, "must be from 1 ms to \(Self.longest) ms")
        }
    }

    var microseconds: Int { Int(interval.milliseconds) * 1000 }

    /// Why a request is not sent that would have to wait.
    ///
    /// - Parameters:
    ///   - wait: microseconds.
    ///   - total: the total timeout in milliseconds; 0 for none.
    func refusal(_ wait: Int, total: Int) -> NetcoreError? {
        guard wait > 0, action == .refuse || total > 0 && wait > total * 1000 else { return nil }
        var error = NetcoreError(.tooSoon, "an equal request was sent a moment ago", phase: .queue)
        error.retryAfter = .milliseconds((wait + 999) / 1000)
        return error
    }
}

extension Request {
    /// The shortest time between requests that equal this one; nil, the default, for any. One that is out of range is an error of the
    /// dispatch.
    public var minimumInterval: MinimumInterval? {
        get { options.minimumInterval }
        set { set(.minimumInterval) { $0.minimumInterval = newValue } }
    }
}

extension RequestForm {
    /// What requests have in common that the minimum interval keeps apart.
    var intervalKey: RequestKey {
        var text = RequestKeyText()
        if let key = options.minimumInterval?.key {
            text.add("key")
            text.add(key)
        } else {
            text.add(method)
            text.add(CacheKey.sortingQuery(url.withoutFragment))
            if let bodyBytes { text.add(hashing: bodyBytes.bytes) }
        }
        return text.key
    }
}
