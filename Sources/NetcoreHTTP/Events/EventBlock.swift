/// Several events as one text, which is split in a few operations where each event by itself would cost calls: four fields an event,
/// each with a carriage return after it. That byte ends lines of an event stream, and so is in none of the fields.
package struct EventBlock: Sendable {
    /// From here on a block takes no further event.
    private static let fullSize = 64 << 10
    private static let end = UInt8(ascii: "\r")
    private static let message = Array("message".utf8)

    private var bytes: [UInt8] = []

    package init() {}

    package var isEmpty: Bool { bytes.isEmpty }
    package var isFull: Bool { bytes.count >= Self.fullSize }

    /// - Parameter data: lines, each with a line feed after it.
    mutating func add(type: [UInt8], data: [UInt8], lastEventID: [UInt8], retry: Int?) {
        if type.isEmpty {
            bytes.append(contentsOf: Self.message)
        } else {
            bytes.append(contentsOf: type)
        }
        bytes.append(Self.end)
        bytes.append(contentsOf: data)
        bytes[bytes.count - 1] = Self.end
        if !lastEventID.isEmpty { bytes.append(contentsOf: lastEventID) }
        bytes.append(Self.end)
        if let retry { bytes.append(contentsOf: String(retry).utf8) }
        bytes.append(Self.end)
    }

    /// Bytes that are not UTF-8 become U+FFFD.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
}
