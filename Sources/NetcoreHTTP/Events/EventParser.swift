internal import Glibc

/// Makes events of the bytes of an event stream, wherever these are cut: a pure rule (HTML standard, section 9.2.6 "Interpreting an
/// event stream").
///
/// What stands after the last blank line is no event.
package struct EventParser: Sendable {
    package static let defaultLimit = 16 << 20
    private static let longestID = 1024

    /// A line whose end has not come.
    private var line: [UInt8] = []
    /// Of the event that has not ended: its lines of data, each with a line feed after it.
    private var data: [UInt8] = []
    private var type: [UInt8] = []
    private var id: [UInt8] = []
    private var isAtStart = true
    /// A line feed that comes next belongs to the end of the line before.
    private var endedWithReturn = false
    private let limit: Int

    /// Kept from event to event, and for the next connection.
    package private(set) var lastEventID = ""
    package private(set) var retry: Int?

    /// - Parameter limit: bytes of an event, as it comes.
    package init(limit: Int = defaultLimit) { self.limit = limit }

    /// Takes the next bytes, and hands over the events that end in them.
    package mutating func add(
        _ bytes: UnsafeRawBufferPointer, _ take: (ServerSentEvent) -> Void
    ) throws(NetcoreError) {
        var start = 0
        if endedWithReturn, let first = bytes.first {
            endedWithReturn = false
            if first == Self.lineFeed { start = 1 }
        }
        while let end = Self.lineEnd(bytes, from: start) {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            try checkSize(rest.count)
            if line.isEmpty {
                read(rest, take)
            } else {
                line += rest
                let whole = line
                line.removeAll(keepingCapacity: true)
                whole.withUnsafeBytes { read($0, take) }
            }
            start = end + 1
            guard bytes[end] == Self.carriageReturn else { continue }
            if start == bytes.count {
                endedWithReturn = true
            } else if bytes[start] == Self.lineFeed {
                start += 1
            }
        }
        try checkSize(bytes.count - start)
        line += UnsafeRawBufferPointer(rebasing: bytes[start...])
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private static func lineEnd(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress else { return nil }
        func find(_ byte: UInt8, _ count: Int) -> Int? {
            memchr(base + start, Int32(byte), count).map { UnsafeRawPointer($0) - (base + start) }
        }
        let feed = find(lineFeed, bytes.count - start)
        let end = find(carriageReturn, feed ?? bytes.count - start) ?? feed
        return end.map { start + $0 }
    }

    private func checkSize(_ more: Int) throws(NetcoreError) {
        guard data.count + line.count + more > limit else { return }
        throw NetcoreError(.limitBodyBytes, "an event is larger than \(limit) bytes", phase: .receive)
    }

    // MARK: Lines

    private mutating func read(_ whole: UnsafeRawBufferPointer, _ take: (ServerSentEvent) -> Void) {
        var line = whole[...]
        if isAtStart {
            isAtStart = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        }
        guard !line.isEmpty else { return endEvent(take) }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return setField(line, line.suffix(0)) }
        var value = line[(colon + 1)...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        setField(line[..<colon], value)
    }

    /// A name of no field, as the empty one of a comment, is ignored.
    private mutating func setField(_ name: Slice<UnsafeRawBufferPointer>, _ value: Slice<UnsafeRawBufferPointer>) {
        func isNamed(_ text: StaticString) -> Bool {
            name.count == text.utf8CodeUnitCount
                && name.elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        }
        if isNamed("data") {
            data += value
            data.append(Self.lineFeed)
        } else if isNamed("event") {
            type = Array(value)
        } else if isNamed("id") {
            if value.count <= Self.longestID, !value.contains(0) { id = Array(value) }
        } else if isNamed("retry"), !value.isEmpty, value.allSatisfy({ $0 &- 0x30 < 10 }) {
            retry = value.reduce(0) { min($0, Int.max / 16) * 10 + Int($1 - 0x30) }
        }
    }

    private mutating func endEvent(_ take: (ServerSentEvent) -> Void) {
        lastEventID = String(decoding: id, as: UTF8.self)
        defer {
            data.removeAll(keepingCapacity: true)
            type.removeAll(keepingCapacity: true)
        }
        guard !data.isEmpty else { return }
        take(
            ServerSentEvent(
                type: type.isEmpty ? "message" : String(decoding: type, as: UTF8.self),
                data: String(decoding: data.dropLast(), as: UTF8.self), lastEventID: lastEventID, retry: retry))
    }
}
