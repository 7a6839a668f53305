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

    /// Kept from event to event, and for the next connection.
    package private(set) var lastEventID: String
    package private(set) var retry: Int?

    /// - Parameters:
    ///   - limit: bytes of an event, as it comes.
    ///   - lastEventID: of the connection before.
    package init(limit: Int = defaultLimit, lastEventID: String = "") {
        self.limit = limit
        self.lastEventID = lastEventID
        id = Array(lastEventID.utf8)
    }

    package mutating func next(
        in bytes: UnsafeRawBufferPointer, from position: inout Int
    ) throws(NetcoreError) -> ServerSentEvent? {
        var lines = lines
        self.lines = LineSplitter()  // so that its bytes are not copied
        defer { self.lines = lines }
        var event: ServerSentEvent?
        while event == nil {
            let isLine: Void? = try lines.next(in: bytes, from: &position) { (line) throws(NetcoreError) in
                try checkSize(line.count)
                event = read(line)
            }
            guard isLine != nil else { break }
        }
        try checkSize(lines.keptCount)
        return event
    }

    /// What has not ended is no event.
    package mutating func finish() -> ServerSentEvent? { nil }

    private func checkSize(_ more: Int) throws(NetcoreError) {
        guard data.count + more > limit else { return }
        throw NetcoreError(.limitBodyBytes, "an event is larger than \(limit) bytes", phase: .receive)
    }

    // MARK: Lines

    /// Takes a line, and returns the event that it ends.
    private mutating func read(_ whole: UnsafeRawBufferPointer) -> ServerSentEvent? {
        var line = whole[...]
        if isAtStart {
            isAtStart = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        }
        guard !line.isEmpty else { return endEvent() }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            setField(line, line.suffix(0))
            return nil
        }
        var value = line[(colon + 1)...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        setField(line[..<colon], value)
        return nil
    }

    /// A name of no field, as the empty one of a comment, is ignored.
    private mutating func setField(_ name: Slice<UnsafeRawBufferPointer>, _ value: Slice<UnsafeRawBufferPointer>) {
        func isNamed(_ text: StaticString) -> Bool {
            name.count == text.utf8CodeUnitCount
                && name.elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        }
        if isNamed("data") {
            data += value
            data.append(UInt8(ascii: "\n"))
        } else if isNamed("event") {
            type = Array(value)
        } else if isNamed("id") {
            if value.count <= Self.longestID, !value.contains(0) { id = Array(value) }
        } else if isNamed("retry"), !value.isEmpty, value.allSatisfy({ $0 &- 0x30 < 10 }) {
            retry = value.reduce(0) { min($0, Int.max / 16) * 10 + Int($1 - 0x30) }
        }
    }

    private mutating func endEvent() -> ServerSentEvent? {
        lastEventID = String(decoding: id, as: UTF8.self)
        defer {
            data.removeAll(keepingCapacity: true)
            type.removeAll(keepingCapacity: true)
        }
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(
            type: type.isEmpty ? "message" : String(decoding: type, as: UTF8.self),
            data: String(decoding: data.dropLast(), as: UTF8.self), lastEventID: lastEventID, retry: retry)
    }
}
