/// Makes elements, such as events or lines, of the bytes of a body, wherever these are cut.
package protocol BodyParser: Sendable {
    associatedtype Element: Sendable

    /// The next element that ends in these bytes, whose position is moved behind it. Nil when there is none: what is left is kept.
    mutating func next(in bytes: UnsafeRawBufferPointer, from position: inout Int) throws(NetcoreError) -> Element?

    /// What is left at the end of the body, if it is one.
    mutating func finish() -> Element?
}

/// The lines of a body, each as bytes without its end.
package struct LineParser: BodyParser {
    package static let defaultLimit = 16 << 20

    private var splitter: LineSplitter
    private let limit: Int

    /// - Parameter limit: bytes of a line.
    package init(_ ends: LineSplitter.Ends = .all, limit: Int = defaultLimit) {
        splitter = LineSplitter(ends)
        self.limit = limit
    }

    package mutating func next(
        in bytes: UnsafeRawBufferPointer, from position: inout Int
    ) throws(NetcoreError) -> [UInt8]? {
        if let line = try splitter.next(in: bytes, from: &position, { line in Array(line) }) {
            try check(line.count)
            return line
        }
        try check(splitter.keptCount)
        return nil
    }

    package mutating func finish() -> [UInt8]? { splitter.finish() }

    private func check(_ size: Int) throws(NetcoreError) {
        guard size > limit else { return }
        throw NetcoreError(.limitBodyBytes, "a line is larger than \(limit) bytes", phase: .receive)
    }
}
