package import NetcoreHTTP
package import NetcoreSupport

/// A stretch of a body that comes from one place.
package struct BodyPiece: Sendable {
    package enum Content: Sendable {
        case bytes(ByteBuffer)
        case file(String)
        case stream(BodyStream)
    }

    package let content: Content
    /// As messages name it.
    package let label: String
    /// As it was when the request was dispatched; nil when it is not known.
    package let length: Int?

    package init(_ content: Content, label: String, length: Int?) {
        self.content = content
        self.label = label
        self.length = length
    }
}

/// A body that is read while it is sent: one piece after the other.
package final class StreamedBody: Sendable {
    package let pieces: [BodyPiece]
    /// Whether it is packed on the way (gzip, RFC 1952).
    package let isPacked: Bool
    /// Bytes on the wire; nil when they are not known before.
    package let length: Int?

    package init(_ pieces: [BodyPiece], isPacked: Bool = false) {
        self.pieces = pieces
        self.isPacked = isPacked
        length = isPacked ? nil : Self.length(of: pieces)
    }

    /// Whether it can be read from its beginning again.
    package var canRewind: Bool {
        pieces.allSatisfy { piece in if case .stream(let stream) = piece.content { stream.canRewind } else { true } }
    }

    /// The length of all together, where each has one and a number can tell the sum.
    package static func length(of pieces: [BodyPiece]) -> Int? {
        var sum = 0
        for piece in pieces {
            guard let length = piece.length else { return nil }
            let (next, isTooMuch) = sum.addingReportingOverflow(length)
            guard !isTooMuch else { return nil }
            sum = next
        }
        return sum
    }
}

/// What a request carries.
package enum WireBody: Sendable {
    case bytes(ByteBuffer)
    case streamed(StreamedBody)

    package var length: Int? {
        switch self {
        case .bytes(let bytes): bytes.count
        case .streamed(let body): body.length
        }
    }
}
