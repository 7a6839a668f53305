internal import Glibc
internal import NetcoreHTTP
internal import NetcoreStorage
internal import NetcoreSupport

/// Reading what ``DiskHead`` wrote. It may have been written by anybody who may open the folder: every number is
/// checked here, against the ranges of ``StoredRange``, and every field against the syntax that the origin's had to
/// have.
extension DiskHead {
    /// Nil for bytes that are none of these, such as those of another version, and for numbers that no cache writes.
    init?(_ buffer: ByteBuffer) {
        let bytes = buffer.bytes
        guard let lineEnd = bytes.firstIndex(of: 0x0A),
            let line = Line(UnsafeRawBufferPointer(rebasing: bytes[..<lineEnd]))
        else { return nil }
        var position = lineEnd + 1
        var texts: [String] = []
        for size in line.textSizes {
            guard size >= 0, size <= Int64(bytes.count - position),
                let text = String(
                    validating: UnsafeRawBufferPointer(rebasing: bytes[position..<(position + Int(size))]),
                    as: UTF8.self)
            else { return nil }
            texts.append(text)
            position += Int(size)
        }
        guard let fields = Self.fields(UnsafeRawBufferPointer(rebasing: bytes[position...])) else { return nil }
        head = StoredHead(
            status: line.status, version: line.version, fields: fields, requestTime: line.requestTime,
            responseTime: line.responseTime)
        application = CachedAnswer.Application(
            scope: texts[0], version: line.applicationNumber, applicationVersion: texts[1],
            isOnlyByTimeToLive: line.isOnlyByTimeToLive)
        variantKey = texts[2]
        parts = line.parts
        order = line.order
    }

    /// The numbers of the first line.
    private struct Line {
        let status: Int
        let version: HTTPVersion?
        let requestTime, responseTime: Timestamp
        let order: Int64
        let isOnlyByTimeToLive: Bool
        let applicationNumber: UInt32
        let textSizes: ArraySlice<Int64>
        let parts: PartialContent?

        init?(_ line: UnsafeRawBufferPointer) {
            guard let numbers = Self.numbers(line), numbers.count >= 16, StoredRange.status.contains(numbers[0]),
                let version = Int32(exactly: numbers[1]), let sent = Self.time(numbers, 2),
                let came = Self.time(numbers, 5), StoredRange.wall.contains(numbers[8]), numbers[9] >> 1 == 0,
                let applicationNumber = UInt32(exactly: numbers[10])
            else { return nil }
            status = Int(numbers[0])
            self.version = HTTPVersion(rawValue: version)
            requestTime = sent
            responseTime = came
            order = numbers[8]
            isOnlyByTimeToLive = numbers[9] == 1
            self.applicationNumber = applicationNumber
            textSizes = numbers[11...13]
            guard numbers[15] >= 0 else {
                guard status != 206, numbers.count == 16 else { return nil }
                parts = nil
                return
            }
            guard status == 206, let parts = Self.parts(numbers[15], numbers[16...], numbers[14]) else { return nil }
            self.parts = parts
        }

        /// The numbers after "netcore 1", a space before each; nil for anything else, and for a number beyond 64 bits.
        private static func numbers(_ line: UnsafeRawBufferPointer) -> [Int64]? {
            let beginning: StaticString = "netcore 1"
            let size = beginning.utf8CodeUnitCount
            guard let start = line.baseAddress, line.count > size, memcmp(start, beginning.utf8Start, size) == 0 else {
                return nil
            }
            var numbers: [Int64] = []
            numbers.reserveCapacity(16)
            var index = size
            while index < line.count {
                guard line[index] == 0x20 else { return nil }
                let isNegative = index + 1 < line.count && line[index + 1] == UInt8(ascii: "-")
                index += isNegative ? 2 : 1
                let first = index
                var value: Int64 = 0
                while index < line.count, line[index] &- 0x30 < 10 {
                    let digit = Int64(line[index] &- 0x30)
                    let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
                    let (sum, overflow) =
                        isNegative ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
                    guard !isTooLarge, !overflow else { return nil }
                    value = sum
                    index += 1
                }
                guard index > first else { return nil }
                numbers.append(value)
            }
            return numbers
        }

        private static func time(_ numbers: [Int64], _ first: Int) -> Timestamp? {
            let time = Timestamp(
                wall: numbers[first], uptime: numbers[first + 1], boot: UInt64(bitPattern: numbers[first + 2]))
            return StoredRange.contains(time) ? time : nil
        }

        /// - Parameter bounds: the first byte of each part, and the one after its last.
        private static func parts(_ count: Int64, _ bounds: ArraySlice<Int64>, _ length: Int64) -> PartialContent? {
            guard bounds.count % 2 == 0, count == Int64(bounds.count / 2) else { return nil }
            var ranges: [Range<Int64>] = []
            for index in stride(from: bounds.startIndex, to: bounds.endIndex, by: 2) {
                guard bounds[index] >= 0, bounds[index] < bounds[index + 1] else { return nil }
                ranges.append(bounds[index]..<bounds[index + 1])
            }
            return PartialContent(stored: ranges, completeLength: length < 0 ? nil : length)
        }
    }

    private static func fields(_ bytes: UnsafeRawBufferPointer) -> FieldBlock? {
        let block = FieldBlock()
        var rest = bytes
        while !rest.isEmpty {
            guard let nameEnd = rest.firstIndex(of: 0),
                let valueEnd = rest[(nameEnd + 1)...].firstIndex(of: 0)
            else { return nil }
            let name = UnsafeRawBufferPointer(rebasing: rest[..<nameEnd])
            let value = UnsafeRawBufferPointer(rebasing: rest[(nameEnd + 1)..<valueEnd])
            guard isToken(name), Syntax.isFieldValue(value), block.append(name: name, value: value) else {
                return nil
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[(valueEnd + 1)...])
        }
        return block
    }

    private static func isToken(_ bytes: UnsafeRawBufferPointer) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { Syntax.isTokenByte($0) }
    }
}
