internal import Glibc

/// Makes events of the bytes of an event stream, wherever these are cut: a pure rule (HTML standard, section 9.2.6 "Interpreting an
/// event stream").
///
/// What stands after the last blank line is no event.
package struct EventParser: BodyParser {
    package static let defaultLimit = 16 << 20
    private static let longestID = 1024

    private var lines = LineSplitter()
    /// Of the event that has not ended: its lines of data, each with a line feed after it.
    private var data: [UInt8] = []
    private var type: [UInt8] = []
    private var id: [UInt8] = []
    private var isAtStart = true
    private let limit: Int

    /// What ``id`` was at the last blank line.
    private var lastID: [UInt8]
    private var hasNewID = false
    /// Kept from event to event, and for the next connection.
    package private(set) var retry: Int?

    /// - Parameters:
    ///   - limit: bytes of an event, as it comes.
    ///   - lastEventID: of the connection before.
    package init(limit: Int = defaultLimit, lastEventID: String = "") {
        self.limit = limit
        id = Array(lastEventID.utf8)
        lastID = id
    }

    /// Kept from event to event, and for the next connection.
    package var lastEventID: String { String(decoding: lastID, as: UTF8.self) }

    package mutating func next(
        in bytes: UnsafeRawBufferPointer, from position: inout Int
    ) throws(NetcoreError) -> ServerSentEvent? {
        var lines = takeLines()
        defer { self.lines = lines }
        guard try readEvent(by: &lines, in: bytes, from: &position) else { return nil }
        defer { forgetEvent() }
        return ServerSentEvent(
            type: type.isEmpty ? "message" : String(decoding: type, as: UTF8.self),
            data: String(decoding: data.dropLast(), as: UTF8.self), lastEventID: lastEventID, retry: retry)
    }

    /// Adds the events that end in these bytes to a block, until that is full.
    package mutating func collect(
        in bytes: UnsafeRawBufferPointer, from position: inout Int, into block: inout EventBlock
    ) throws(NetcoreError) {
        var lines = takeLines()
        defer { self.lines = lines }
        while !block.isFull, try readEvent(by: &lines, in: bytes, from: &position) {
            block.add(type: type, data: data, lastEventID: lastID, retry: retry)
            forgetEvent()
        }
    }

    /// Takes the splitter out, so that its bytes are not copied while this changes.
    private mutating func takeLines() -> LineSplitter {
        let taken = lines
        lines = LineSplitter()
        return taken
    }

    /// What has not ended is no event.
    package mutating func finish() -> ServerSentEvent? { nil }

    /// Reads lines up to the end of an event that has data; returns false when none ends in these bytes.
    private mutating func readEvent(
        by lines: inout LineSplitter, in bytes: UnsafeRawBufferPointer, from position: inout Int
    ) throws(NetcoreError) -> Bool {
        var isWhole = false
        while !isWhole {
            let isLine: Void? = try lines.next(in: bytes, from: &position) { (line) throws(NetcoreError) in
                try Self.check(data.count + line.count, limit)
                isWhole = read(line)
            }
            guard isLine != nil else { break }
        }
        try Self.check(data.count + lines.keptCount, limit)
        return isWhole
    }

    // Not of the instance: a call of one of its functions copies it all, which costs more than a line.
    private static func check(_ size: Int, _ limit: Int) throws(NetcoreError) {
        guard size > limit else { return }
        throw NetcoreError(.limitBodyBytes, "an event is larger than \(limit) bytes", phase: .receive)
    }

    // MARK: Lines

    /// Takes a line, and returns whether it ends an event.
    private mutating func read(_ whole: UnsafeRawBufferPointer) -> Bool {
        var line = whole
        if isAtStart {
            isAtStart = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = Self.rest(of: line, from: 3) }
        }
        guard let start = line.baseAddress, line.count > 0 else { return endEvent() }
        guard let found = memchr(start, Int32(UInt8(ascii: ":")), line.count) else {
            setField(line, UnsafeRawBufferPointer(start: nil, count: 0))
            return false
        }
        let colon = UnsafeRawPointer(found) - start
        var value = Self.rest(of: line, from: colon + 1)
        if value.first == UInt8(ascii: " ") { value = Self.rest(of: value, from: 1) }
        setField(UnsafeRawBufferPointer(start: start, count: colon), value)
        return false
    }

    private static func rest(of line: UnsafeRawBufferPointer, from offset: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: line[offset...])
    }

    /// A name of no field, as the empty one of a comment, is ignored.
    private mutating func setField(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        func isNamed(_ text: StaticString) -> Bool {
            guard name.count == text.utf8CodeUnitCount, let start = name.baseAddress else { return false }
            return memcmp(start, text.utf8Start, name.count) == 0
        }
        if isNamed("data") {
            data.append(contentsOf: value)
            data.append(UInt8(ascii: "\n"))
        } else if isNamed("event") {
            type.removeAll(keepingCapacity: true)
            type.append(contentsOf: value)
        } else if isNamed("id") {
            guard value.count <= Self.longestID, !value.contains(0) else { return }
            id = Array(value)
            hasNewID = true
        } else if isNamed("retry"), !value.isEmpty, value.allSatisfy({ $0 &- 0x30 < 10 }) {
            retry = value.reduce(0) { min($0, Int.max / 16) * 10 + Int($1 - 0x30) }
        }
    }

    /// Takes a blank line. Without data it ends no event, but the id counts.
    private mutating func endEvent() -> Bool {
        if hasNewID {
            lastID = id
            hasNewID = false
        }
        guard data.isEmpty else { return true }
        forgetEvent()
        return false
    }

    private mutating func forgetEvent() {
        data.removeAll(keepingCapacity: true)
        if !type.isEmpty { type.removeAll(keepingCapacity: true) }
    }
}
