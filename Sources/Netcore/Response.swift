public import NetcoreHTTP
package import NetcoreSupport

/// How a task ended: an answer, whole and decoded, or an error and what was known by then. Immutable.
public final class Response: Sendable {
    /// Nil for a whole answer, whatever its status code.
    package let error: NetcoreError?
    /// The status code, such as 200 or 404; 0 when no header section arrived.
    public let status: Int
    public let version: HTTPVersion?
    /// The fields of the header section.
    public var headers: Headers { Headers(fieldBlock ?? FieldBlock()) }
    /// The fields of the trailer section (RFC 9110 section 6.5).
    public var trailers: Headers { Headers(trailerBlock ?? FieldBlock()) }
    public let timings: Timings
    /// Requests put on the wire, redirects not counted.
    public let attempts: Int
    /// Redirects followed.
    public let redirects: Int
    /// Whether the last hop used a connection that was already open.
    public let isConnectionReused: Bool
    /// Bytes of all hops inside TLS: header sections and bodies as transferred.
    public let bytesSent: Int
    public let bytesReceived: Int

    package let url: HTTPURL?
    package let fieldBlock: FieldBlock?
    package let trailerBlock: FieldBlock?
    package let bodyBuffer: ByteBuffer?

    init(_ result: TaskOutcome) {
        error = result.error
        status = result.status
        version = result.version
        timings = result.timings
        attempts = result.attempts
        redirects = result.redirects
        isConnectionReused = result.isReused
        bytesSent = result.bytesSent
        bytesReceived = result.bytesReceived
        url = result.url
        fieldBlock = result.fields
        trailerBlock = result.trailers
        bodyBuffer = result.error == nil ? result.body : nil
    }

    /// The URL of the last hop, without user name and password.
    public var urlString: String { url?.string ?? "" }

    /// The body, whole and decoded; a copy.
    public var body: [UInt8] { withBody { Array($0) } }

    /// Lends the body's bytes, without a copy.
    public func withBody<Result>(_ read: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(bodyBuffer) {
            try read(bodyBuffer?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }

    /// The body as UTF-8 text, damaged bytes replaced.
    public var text: String { withBody { String(decoding: $0, as: UTF8.self) } }
}

/// What a response is made of.
struct TaskOutcome {
    var error: NetcoreError?
    var status = 0
    var version: HTTPVersion?
    var timings = Timings()
    var attempts = 0
    var redirects = 0
    var isReused = false
    var bytesSent = 0
    var bytesReceived = 0
    var url: HTTPURL?
    var fields: FieldBlock?
    var trailers: FieldBlock?
    var body: ByteBuffer?
}
