public import Foundation
public import Netcore

extension StreamedResponse {
    /// The values of a body that has one JSON value a line (JSON Lines, NDJSON). Lines end with LF; empty ones are left out.
    ///
    /// - Parameters:
    ///   - type: of each value.
    ///   - largestLine: bytes of a line. A larger one is an error with code `limitBodyBytes`, after which no other is read.
    public func jsonLines<Value: Decodable>(
        _ type: Value.Type = Value.self, using decoder: JSONDecoder = JSONDecoder(), largestLine: Int = 16 << 20
    ) -> JSONLines<Value> {
        JSONLines(response: self, decoder: decoder, limit: largestLine)
    }

    /// The values of a response.
    public struct JSONLines<Value: Decodable>: AsyncSequence {
        public typealias Element = Value

        fileprivate let response: StreamedResponse
        fileprivate let decoder: JSONDecoder
        fileprivate let limit: Int

        public func makeAsyncIterator() -> Iterator { Iterator(response: response, decoder: decoder, limit: limit) }

        /// One that is read by two tasks at once throws ``NetcoreError/Code/invalidState``.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let response: StreamedResponse
            fileprivate let decoder: JSONDecoder
            fileprivate let limit: Int

            /// - Throws: a `DecodingError` for a line that is not such a value, after which the next line can be read;
            ///   ``NetcoreError``, or `CancellationError` if the surrounding task was canceled and the request with it.
            public mutating func next() async throws -> Value? {
                while let line = try await response.nextJSONLine(limit: limit) {
                    guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { continue }
                    return try decoder.decode(Value.self, from: Data(line))
                }
                return nil
            }
        }
    }
}
