/// The fields of a stored answer, made ready once for being handed out: without Age and Cache-Status, which differ each
/// time.
package struct ServedHead: Sendable {
    private let base: FieldBlock
    /// What caches on the way wrote into Cache-Status, and ", "; the own member follows it (RFC 9211 section 2).
    private let statusPrefix: [UInt8]

    package init(_ stored: FieldBlock) {
        guard stored.contains("age") || stored.contains("cache-status") else {
            base = stored
            statusPrefix = []
            return
        }
        let base = FieldBlock()
        base.append(stored) {
            !Syntax.equalsIgnoringCase($0, "age") && !Syntax.equalsIgnoringCase($0, "cache-status")
        }
        self.base = base
        statusPrefix = stored.joinedValue(of: "cache-status").map { $0 + [0x2C, 0x20] } ?? []
    }

    /// The fields of an answer served from the cache: with its Age in seconds (RFC 9111 section 5.1) and what the cache
    /// did.
    package func fields(age: Int64, _ status: CacheStatus) -> FieldBlock {
        var text = status.text
        return text.withUTF8 { fields(age: age, status: UnsafeRawBufferPointer($0)) }
    }

    /// The same for a plain hit: nothing is formatted but two numbers.
    package func hitFields(age: Int64, timeToLive: Int64) -> FieldBlock {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { room in
            var size = Self.write("netcore; hit; ttl=", into: room, at: 0)
            size = Self.write(timeToLive, into: room, at: size)
            return fields(age: age, status: UnsafeRawBufferPointer(rebasing: room[..<size]))
        }
    }

    private func fields(age: Int64, status: UnsafeRawBufferPointer) -> FieldBlock {
        let result = base.copy(withRoomFor: statusPrefix.count + status.count + 64)
        withUnsafeTemporaryAllocation(byteCount: 32, alignment: 1) { room in
            let size = Self.write(min(max(age, 0), CacheControl.longest), into: room, at: 0)
            Self.append("Age", UnsafeRawBufferPointer(rebasing: room[..<size]), to: result)
        }
        if statusPrefix.isEmpty {
            Self.append("Cache-Status", status, to: result)
        } else {
            result.append("Cache-Status", statusPrefix + status)
        }
        return result
    }

    /// An answer's fields with a member added to Cache-Status: for one that came from the origin.
    package static func adding(_ status: CacheStatus, to fields: FieldBlock) -> FieldBlock {
        var text = status.text
        guard let before = fields.joinedValue(of: "cache-status") else {
            return text.withUTF8 { text in
                let result = fields.copy(withRoomFor: text.count + 16)
                append("Cache-Status", UnsafeRawBufferPointer(text), to: result)
                return result
            }
        }
        let result = FieldBlock()
        result.append(fields) { !Syntax.equalsIgnoringCase($0, "cache-status") }
        result.append("Cache-Status", before + [0x2C, 0x20] + Array(text.utf8))
        return result
    }

    /// The status that the cache answers by itself when it may not serve what it has, and cannot ask (RFC 9111 sections
    /// 5.2.1.7 and 5.2.2.2).
    package static let gatewayTimeout = 504

    /// The fields of that answer, which has no body.
    package static func gatewayTimeoutFields(_ status: CacheStatus, now seconds: Int64) -> FieldBlock {
        let result = FieldBlock()
        result.append("Date", HTTPDate.format(seconds))
        result.append("Content-Length", "0")
        result.append("Cache-Status", status.text)
        return result
    }

    // MARK: Writing without strings

    private static func append(_ name: StaticString, _ value: UnsafeRawBufferPointer, to fields: FieldBlock) {
        fields.append(
            name: UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), value: value)
    }

    private static func write(_ text: StaticString, into room: UnsafeMutableRawBufferPointer, at start: Int) -> Int {
        for offset in 0..<text.utf8CodeUnitCount { room[start + offset] = text.utf8Start[offset] }
        return start + text.utf8CodeUnitCount
    }

    /// Writes a number in decimal; at most 20 bytes.
    private static func write(_ number: Int64, into room: UnsafeMutableRawBufferPointer, at start: Int) -> Int {
        var left = number.magnitude
        var digits = 1
        var bound: UInt64 = 10
        while digits < 19, left >= bound {
            digits += 1
            bound *= 10
        }
        var end = start
        if number < 0 {
            room[end] = UInt8(ascii: "-")
            end += 1
        }
        for place in stride(from: end + digits - 1, through: end, by: -1) {
            room[place] = UInt8(ascii: "0") + UInt8(left % 10)
            left /= 10
        }
        return end + digits
    }
}
