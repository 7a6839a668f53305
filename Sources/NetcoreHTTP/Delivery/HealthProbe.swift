/// A request that a client sends by itself to a service which it left, to learn whether that is well again. Bare: without fields,
/// credentials and cookies of the client's.
public struct HealthProbe: Sendable, Hashable {
    /// Below the base URL of the service; "" for that itself.
    public var path: String
    /// Default GET.
    public var method = "GET"
    /// Between two probes: 100 ms to 24 h, and up to a tenth longer. Default 10 s.
    public var interval = Duration.seconds(10)
    /// How long a probe may take in all: 1 ms to 24 h. Default 5 s.
    public var timeout = Duration.seconds(5)
    /// How many answers from 200 to 299 in a row say that the service is well: 1 to 100. Default 2.
    public var successes = 2

    public init(path: String) { self.path = path }
}

extension HealthProbe {
    private static let longest = Duration.seconds(86_400)

    func validate() throws(NetcoreError) {
        try Self.require(Syntax.isToken(method.utf8), "probe_method", "not a method")
        try Self.require(!path.utf8.contains { $0 <= 0x20 || $0 == 0x7F }, "probe_path", "not a URL path")
        try Self.require(
            (.milliseconds(100)...Self.longest).contains(interval), "probe_interval_ms",
            "must be 100 milliseconds to 24 hours")
        try Self.require(
            (.milliseconds(1)...Self.longest).contains(timeout), "probe_timeout_ms",
            "must be 1 millisecond to 24 hours")
        try Self.require((1...100).contains(successes), "probe_successes", "must be 1 to 100")
    }

    private static func require(_ holds: Bool, _ name: String, _ message: String) throws(NetcoreError) {
        guard holds else { throw NetcoreError(.invalidArgument, argument: name, message) }
    }
}
