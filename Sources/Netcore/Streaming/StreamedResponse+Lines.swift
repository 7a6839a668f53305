internal import NetcoreHTTP

extension StreamedResponse {
    /// The lines of the body as text, without their ends: LF, CR or CRLF. They can be read once; who reads on begins where the one
    /// before stopped. Bytes that are not UTF-8 become U+FFFD.
    public var lines: Lines { lines(largestLine: LineParser.defaultLimit) }

    /// The same with another limit.
    ///
    /// - Parameter largestLine: bytes of a line, 16 MiB by default. A larger one is an error with code `limitBodyBytes`, after which no
    ///   other is read. What the first iteration of a response says holds.
    public func lines(largestLine: Int) -> Lines { Lines(response: self, limit: largestLine) }

    /// The next line of a body whose lines end only with LF.
    package func nextJSONLine(limit: Int) async throws -> [UInt8]? { try await nextLine(.lineFeed, limit: limit) }

    private func nextLine(_ ends: LineSplitter.Ends, limit: Int) async throws -> [UInt8]? {
        try await reading { stream throws(NetcoreError) in try await stream.nextLine(ends, limit: limit) }
    }

    /// The lines of a response.
    public struct Lines: AsyncSequence, Sendable {
        public typealias Element = String

        fileprivate let response: StreamedResponse
        fileprivate let limit: Int

        public func makeAsyncIterator() -> Iterator { Iterator(response: response, limit: limit) }

        /// One that is read by two tasks at once throws ``NetcoreError/Code/invalidState``.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let response: StreamedResponse
            fileprivate let limit: Int

            /// - Throws: ``NetcoreError``, or `CancellationError` if the surrounding task was canceled and the request with it.
            public mutating func next() async throws -> String? {
                try await response.nextLine(.all, limit: limit).map { String(decoding: $0, as: UTF8.self) }
            }
        }
    }
}
