internal import Glibc

/// Finds the lines of a body, wherever its bytes are cut: a pure rule.
package struct LineSplitter: Sendable {
    /// What ends a line.
    package enum Ends: Sendable {
        /// LF, CR or CRLF.
        case all
        case lineFeed
    }

    private let ends: Ends
    /// A line whose end has not come.
    private var kept: [UInt8] = []
    /// A line feed that comes next belongs to the end of the line before.
    private var endedWithReturn = false

    package init(_ ends: Ends = .all) { self.ends = ends }

    /// Bytes of the line whose end has not come.
    package var keptCount: Int { kept.count }

    /// Lends the next line without its end, and moves a position to what follows it. Nil when its end has not come: the bytes that are
    /// left are kept.
    package mutating func next<Result>(
        in bytes: UnsafeRawBufferPointer, from position: inout Int,
        _ read: (UnsafeRawBufferPointer) throws(NetcoreError) -> Result
    ) throws(NetcoreError) -> Result? {
        if endedWithReturn, position < bytes.count {
            endedWithReturn = false
            if bytes[position] == Self.lineFeed { position += 1 }
        }
        guard let end = lineEnd(bytes, from: position) else {
            kept += UnsafeRawBufferPointer(rebasing: bytes[position...])
            position = bytes.count
            return nil
        }
        let rest = UnsafeRawBufferPointer(rebasing: bytes[position..<end])
        position = end + 1
        if bytes[end] == Self.carriageReturn {
            if position == bytes.count {
                endedWithReturn = true
            } else if bytes[position] == Self.lineFeed {
                position += 1
            }
        }
        if kept.isEmpty { return try read(rest) }
        kept += rest
        defer { kept.removeAll(keepingCapacity: true) }
        return try kept.withUnsafeBufferPointer { (whole) throws(NetcoreError) in
            try read(UnsafeRawBufferPointer(whole))
        }
    }

    /// The last line of a body, if it has no end.
    package mutating func finish() -> [UInt8]? {
        defer { kept = [] }
        return kept.isEmpty ? nil : kept
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    /// Both kinds of ends are looked for in blocks: many lines that end with one kind are not searched to the last byte for the other.
    private static let block = 1 << 10

    private func lineEnd(_ bytes: UnsafeRawBufferPointer, from position: Int) -> Int? {
        guard position < bytes.count, let base = bytes.baseAddress else { return nil }
        func find(_ byte: UInt8, _ start: Int, _ end: Int) -> Int? {
            memchr(base + start, Int32(byte), end - start).map { UnsafeRawPointer($0) - base }
        }
        if case .lineFeed = ends { return find(Self.lineFeed, position, bytes.count) }
        var start = position
        while start < bytes.count {
            let end = min(start + Self.block, bytes.count)
            let feed = find(Self.lineFeed, start, end)
            if let found = find(Self.carriageReturn, start, feed ?? end) ?? feed { return found }
            start = end
        }
        return nil
    }
}
