public import NetcoreHTTP
package import NetcoreSupport

/// An answer whose body comes piece by piece, as fast as it is read. The request is canceled when the last reference to it goes
/// before the end.
public final class StreamedResponse: Sendable {
    /// Status, header fields, URL and redirects: what is known before the body. It has no body.
    public let head: Response
    private let stream: ResponseStream

    init(_ head: Response, _ stream: ResponseStream) {
        self.head = head
        self.stream = stream
    }

    deinit { stream.abandon() }

    /// The status code, such as 200 or 404.
    public var status: Int { head.status }
    public var headers: Headers { head.headers }

    /// The body, decoded. It can be read once; who reads on begins where the one before stopped.
    public var bytes: Bytes { Bytes(response: self) }

    /// How the task ended, with trailers, timings and numbers of bytes; nil before the end of the body was read.
    public var ending: Response? { stream.ending }

    /// The fields of the trailer section (RFC 9110 section 6.5). Empty before the end of the body was read.
    public var trailers: Headers { ending?.trailers ?? Headers(FieldBlock()) }

    /// Ends the request. What was received and not read is dropped.
    public func cancel() { stream.cancel() }

    /// The pieces of a body, of any size from 1 byte on.
    public struct Bytes: AsyncSequence, Sendable {
        public typealias Element = BodyChunk

        fileprivate let response: StreamedResponse

        public func makeAsyncIterator() -> Iterator { Iterator(response: response) }

        /// One that is read by two tasks at once throws ``NetcoreError/Code/invalidState``.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let response: StreamedResponse

            /// - Throws: ``NetcoreError``, or `CancellationError` if the surrounding task was canceled and the request with it.
            public mutating func next() async throws -> BodyChunk? {
                let chunk = try await response.reading { stream throws(NetcoreError) in try await stream.next() }
                return chunk.map { BodyChunk(buffer: $0) }
            }
        }
    }

    /// Waits for something of the body. A cancel of the surrounding task is one of the request.
    func reading<Part: Sendable>(
        _ read: (ResponseStream) async throws(NetcoreError) -> Part
    ) async throws -> Part {
        let stream = stream
        do {
            return try await withTaskCancellationHandler {
                try await read(stream)
            } onCancel: {
                stream.cancel()
            }
        } catch let error as NetcoreError {
            throw error.inSurroundingTask
        }
    }
}

/// A piece of a body.
public struct BodyChunk: Sendable {
    package let buffer: ByteBuffer

    public var count: Int { buffer.count }

    /// A copy.
    public var bytes: [UInt8] { withBytes { Array($0) } }

    /// Lends the bytes, without a copy.
    public func withBytes<Result>(_ read: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(buffer) { try read(buffer.bytes) }
    }
}
