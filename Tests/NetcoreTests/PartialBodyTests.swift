@testable import Netcore
import NetcoreHTTP
import NetcoreSupport
import Testing

@Suite struct PartialBodyTests {
    private let parts = PartialContent(ranges: [0..<5, 10..<15], completeLength: 20)

    private func buffer(_ text: String) -> ByteBuffer {
        let buffer = ByteBuffer()
        for byte in text.utf8 { buffer.append(byte) }
        return buffer
    }

    @Test("bytes that the buffer does not hold are not handed out, whatever the parts say")
    func bounds() {
        let stored = buffer("01234abcde")
        #expect(PartialBody.bytes(10..<15, of: parts, stored).map { Array($0.bytes) } == Array("abcde".utf8))
        #expect(PartialBody.bytes(10..<15, of: parts, buffer("01234abcd")) == nil)
        for range in [Int64(4)..<6, 5..<6, 14..<16] { #expect(PartialBody.bytes(range, of: parts, stored) == nil) }
        for (offset, count) in [(Int64(0), Int64.max), (.max, 1), (.max, .max), (-1, 1), (5, 6), (0, -1)] {
            #expect(PartialBody.copy(stored, offset, count) == nil)
        }
    }

    @Test("parts are joined only from bytes that are there")
    func joined() {
        var all = parts
        let isAdded = all.add(ContentRange(bytes: 5..<10, completeLength: 20))
        #expect(isAdded)
        let new = buffer("56789")
        let whole = PartialBody.joined(parts, buffer("01234abcde"), 5..<10, new, into: all)
        #expect(whole.map { Array($0.bytes) } == Array("0123456789abcde".utf8))
        #expect(PartialBody.joined(parts, buffer("01234abc"), 5..<10, new, into: all) == nil)
        #expect(PartialBody.joined(parts, buffer("01234abcde"), 5..<10, buffer("567"), into: all) == nil)
        let huge = PartialContent(ranges: [0..<Int64.max], completeLength: .max)
        #expect(PartialBody.joined(huge, buffer("01234"), 5..<10, new, into: huge) == nil)
    }
}
