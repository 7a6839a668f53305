public import NetcoreHTTP

extension StreamedResponse {
    /// The events of an event stream (HTML standard, section 9.2), such as the answers of language models. They can be read once; who
    /// reads on begins where the one before stopped.
    ///
    /// They end with the body; text after its last blank line is not an event. No other connection is made then.
    ///
    /// - Parameter largestEvent: bytes of an event as it comes. A larger one is an error with code `limitBodyBytes`, after which no
    ///   other is read. What the first iteration of a response says holds.
    public func events(largestEvent: Int = 16 << 20) -> Events { Events(response: self, limit: largestEvent) }

    /// The events of a response, in the order in which they come.
    public struct Events: AsyncSequence, Sendable {
        public typealias Element = ServerSentEvent

        fileprivate let response: StreamedResponse
        fileprivate let limit: Int

        public func makeAsyncIterator() -> Iterator { Iterator(response: response, limit: limit) }

        /// One that is read by two tasks at once throws ``NetcoreError/Code/invalidState``.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let response: StreamedResponse
            fileprivate let limit: Int

            /// - Throws: ``NetcoreError``: code `httpStatus` for another status than 200, `protocol` for another media type than
            ///   text/event-stream. `CancellationError` if the surrounding task was canceled, and the request with it.
            public mutating func next() async throws -> ServerSentEvent? {
                try checkEventStream(response.head)
                let limit = limit
                return try await response.reading { stream throws(NetcoreError) in
                    try await stream.nextEvent(limit: limit)
                }
            }
        }
    }
}
