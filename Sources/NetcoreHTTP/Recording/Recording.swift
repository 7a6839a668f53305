/// One request on the wire and what came of it, as a cassette keeps them.
package struct Recording: Sendable {
    package typealias Field = (name: String, value: String)

    package enum Ending: Sendable, Equatable {
        case whole
        /// The application closed the stream before its end.
        case open
        case failure(NetcoreError.Code, String)
    }

    /// A part of a streamed body, with the wait before it in microseconds.
    package struct Piece: Sendable, Equatable {
        package let wait: Int
        package let count: Int

        package init(wait: Int, count: Int) {
            self.wait = wait
            self.count = count
        }
    }

    package var method = "GET"
    /// Absolute, without user name and password.
    package var url = ""
    package var requestFields: [Field] = []
    /// Nil for none.
    package var requestBody: [UInt8]?
    /// When it was sent, in milliseconds since 1970.
    package var started: Int64 = 0
    /// Microseconds until the head of the answer, and from there to its end.
    package var wait = 0
    package var receive = 0
    /// 0 if no head came.
    package var status = 0
    /// As HTTP archives write it: "HTTP/1.1".
    package var version = ""
    package var fields: [Field] = []
    /// Decoded.
    package var body: [UInt8] = []
    /// How a streamed body came; empty for one that came in one piece.
    package var pieces: [Piece] = []
    package var ending = Ending.whole

    package init() {}

    package var requestType: String { Self.value(of: "content-type", in: requestFields) }
    package var type: String { Self.value(of: "content-type", in: fields) }

    /// Of the first field of a name; empty if there is none.
    static func value(of name: String, in fields: [Field]) -> String {
        fields.first { Syntax.equalsIgnoringCase($0.name, name) }?.value ?? ""
    }
}
