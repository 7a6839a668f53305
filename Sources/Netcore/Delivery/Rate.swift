public import NetcoreHTTP

/// How many requests may go to a server in an interval, evenly spaced (GCRA), and how many at once. Each attempt and each redirect is a
/// request; what a cache answers is none.
public struct Rate: Sendable, Hashable {
    /// Requests in each ``interval``, from 1 to 1,000,000; nil for any number.
    public var requests: Int?
    /// From 1 ms to 24 h, 1 s by default.
    public var interval: Duration
    /// Requests that may come at once after a pause, from 1, the default, to 1,000,000; the rest is evenly spaced.
    public var burst: Int
    /// Transfers at once, at least 1; nil for any number.
    public var transfers: Int?
    /// How long a request waits at most, up to 24 h; zero: it is refused at once. Nil, the default: as long as its total timeout, and without
    /// one for as long as it takes.
    public var maximumWait: Duration?
    /// Whether no more requests go than an answer says are left, until the time that it says: by Retry-After of a 429 or 503, `RateLimit`,
    /// `RateLimit-Reset` or `X-RateLimit-Reset`. Off by default.
    public var followsServer: Bool

    public init(
        _ requests: Int? = nil, per interval: Duration = .seconds(1), burst: Int = 1, transfers: Int? = nil,
        maximumWait: Duration? = nil, followsServer: Bool = false
    ) {
        self.requests = requests
        self.interval = interval
        self.burst = burst
        self.transfers = transfers
        self.maximumWait = maximumWait
        self.followsServer = followsServer
    }
}

/// What a ``Rate`` is for.
public enum RateScope: Sendable, Hashable {
    /// All requests of the client together.
    case client
    /// The requests to one scheme, host and port, such as "https://example.com"; nil for each of them that has no rate of its own.
    case host(String?)
    /// The requests with a tag.
    case tag(String)
    /// The requests with a ``Request/rateKey``; nil for each key that has no rate of its own.
    case key(String?)
}

extension Rate {
    private static let most = 1_000_000
    private static let longest: Int64 = 86_400_000

    func check() throws(NetcoreError) {
        let limits = 1...Self.most
        try Self.require(requests.map(limits.contains) ?? true, "requests", "must be from 1 to 1,000,000")
        try Self.require(limits.contains(burst), "burst", "must be from 1 to 1,000,000")
        try Self.require(requests != nil || burst == 1, "burst", "needs requests")
        try Self.require((1...Self.longest).contains(interval.milliseconds), "interval_ms", "must be 1 ms to 24 h")
        try Self.require(transfers.map { $0 > 0 } ?? true, "transfers", "must be at least 1")
        try Self.require(
            maximumWait.map { (0...Self.longest).contains($0.milliseconds) } ?? true, "max_wait_ms",
            "must be at most 24 h")
        try Self.require(
            requests != nil || transfers != nil || followsServer, "requests", "a rate without any figure")
    }

    private static func require(_ holds: Bool, _ name: String, _ message: String) throws(NetcoreError) {
        guard holds else { throw NetcoreError(.invalidArgument, argument: name, message) }
    }

    var algorithm: GCRA? {
        requests.map { GCRA(requests: $0, interval: Int(interval.milliseconds) * 1_000_000, burst: burst) }
    }
}

extension RateScope {
    /// With the name as hosts are named.
    fileprivate func normal() throws(NetcoreError) -> RateScope {
        guard case .host(let name?) = self else { return self }
        return .host(try HTTPURL(name).origin)
    }
}

extension Client {
    /// Sets how many requests of a scope may be sent; nil for any number, which is the default. Requests that wait are judged anew.
    ///
    /// - Throws: `invalidArgument` with the name of the figure, `invalidURL` for a host that is none.
    public func setRate(_ rate: Rate?, for scope: RateScope) throws(NetcoreError) {
        try rate?.check()
        let scope = try scope.normal()
        try change { $0.rates[scope] = rate }
        engine.intake.submit(.run { loop in loop.pipeline?.limitsDidChange() })
    }

    /// The rate that was set for a scope.
    public func rate(for scope: RateScope) throws(NetcoreError) -> Rate? {
        engine.parts.settings.current.rates[try scope.normal()]
    }
}

extension Request {
    /// A name for ``RateScope/key(_:)``: requests with one share a rate, such as those with one API key. Nil, the default, for none.
    public var rateKey: String? {
        get { options.rateKey }
        set { set(.rateKey) { $0.rateKey = newValue } }
    }
}
