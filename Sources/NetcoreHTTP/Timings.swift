/// Durations of a task in microseconds, by phase; nil where the phase was not reached.
public struct Timings: Sendable, Hashable {
    /// From dispatch to the start of the transfer.
    public var queue: Int?
    /// Name resolution, of the last hop; nil with a reused connection, as the next two.
    public var dns: Int?
    /// TCP connect.
    public var connect: Int?
    /// TLS handshake.
    public var tls: Int?
    /// From the request's going out to the first byte of the answer, of the last hop.
    public var firstByte: Int?
    /// From the start of the first hop to the end of the last.
    public var total: Int?

    package init() {}
}

/// The HTTP version of an answer.
public enum HTTPVersion: Int32, Sendable, CustomStringConvertible {
    case http1_0 = 10
    case http1_1 = 11
    case http2 = 20

    public var description: String {
        switch self {
        case .http1_0: "HTTP/1.0"
        case .http1_1: "HTTP/1.1"
        case .http2: "HTTP/2"
        }
    }
}
