/// A text with wildcards: "*" stands for any bytes except "/", "**" for any bytes.
package struct Wildcard: Sendable {
    private enum Piece: Sendable, Equatable {
        case text([UInt8])
        case segment
        case anything
    }

    private let pieces: [Piece]

    /// - Parameter decode: applied to what is between the wildcards.
    package init(_ pattern: some Sequence<UInt8>, decode: ([UInt8]) -> [UInt8] = { $0 }) {
        var pieces: [Piece] = []
        var text: [UInt8] = []
        for byte in pattern {
            guard byte == UInt8(ascii: "*") else {
                text.append(byte)
                continue
            }
            if text.isEmpty, pieces.last == .segment {
                pieces[pieces.count - 1] = .anything
            } else {
                if !text.isEmpty { pieces.append(.text(decode(text))) }
                text = []
                if pieces.last != .anything { pieces.append(.segment) }
            }
        }
        if !text.isEmpty { pieces.append(.text(decode(text))) }
        self.pieces = pieces
    }

    /// Whether the pattern stands for the whole text. In steps of at most the product of both lengths.
    package func matches(_ text: [UInt8]) -> Bool {
        // Which ends of the text's beginnings the pieces so far can reach.
        var reached = [Bool](repeating: false, count: text.count + 1)
        reached[0] = true
        for piece in pieces { reached = Self.step(piece, from: reached, text) }
        return reached[text.count]
    }

    private static func step(_ piece: Piece, from reached: [Bool], _ text: [UInt8]) -> [Bool] {
        var next = [Bool](repeating: false, count: reached.count)
        switch piece {
        case .text(let bytes):
            for start in reached.indices where reached[start] && start + bytes.count <= text.count {
                if text[start..<start + bytes.count].elementsEqual(bytes) { next[start + bytes.count] = true }
            }
        case .segment, .anything:
            var isOpen = false
            for end in reached.indices {
                if end > 0, piece == .segment, text[end - 1] == UInt8(ascii: "/") { isOpen = false }
                isOpen = isOpen || reached[end]
                next[end] = isOpen
            }
        }
        return next
    }
}
