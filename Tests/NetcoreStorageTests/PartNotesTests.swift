@testable import NetcoreStorage
import NetcoreSupport
import Testing

@Suite struct PartNotesTests {
    private let boot = Array("0b1d0f4e-0000-0000-0000-000000000001".utf8)
    private let other = Array("0b1d0f4e-0000-0000-0000-000000000002".utf8)

    private func file(_ notes: PartNotes, _ records: [PartNotes.Record]) -> [UInt8] {
        var notes = notes
        var bytes = notes.header
        for record in records {
            let (offset, more) = notes.place(of: record)
            bytes += [UInt8](repeating: 0, count: max(Int(offset) + more.count - bytes.count, 0))
            bytes.replaceSubrange(Int(offset)..<(Int(offset) + more.count), with: more)
        }
        return bytes
    }

    private func record(_ position: Int64) -> PartNotes.Record {
        .init(present: ByteRanges(first: position), bootID: boot)
    }

    /// Some ranges, with gaps between them.
    private func gapped(_ ranges: [Range<Int64>], _ bootID: [UInt8], isDurable: Bool = false) -> PartNotes.Record {
        var present = ByteRanges()
        for range in ranges { present.insert(range) }
        return .init(present: present, hasGaps: true, bootID: bootID, isDurable: isDurable)
    }

    @Test("the last record counts, and two places are enough for all")
    func records() {
        let notes = PartNotes(description: Array("what it is".utf8), bootID: boot)
        let bytes = file(notes, (1...7).map { record($0 * 1000) })
        #expect(bytes.count == file(notes, [record(1), record(2)]).count)
        #expect(PartNotes(bytes)?.record(bootID: boot) == record(7000))
        #expect(PartNotes(bytes)?.description == notes.description)
        #expect(PartNotes(notes.header)?.record(bootID: boot) == nil)
    }

    @Test("a torn record leaves the one before, a torn header nothing")
    func torn() {
        let notes = PartNotes(description: Array("what it is".utf8), bootID: boot)
        let bytes = file(notes, [record(1000), record(2000)])
        for count in bytes.indices {
            let found = PartNotes(Array(bytes[..<count]))
            #expect([nil, record(1000)].contains(found?.record(bootID: boot)))
        }
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 0x10
            let position = PartNotes(damaged)?.record(bootID: boot)?.present.count
            #expect([nil, 1000, 2000].contains(position))
        }
    }

    @Test("records of another header do not count")
    func foreign() {
        let old = PartNotes(description: Array("what it was".utf8), bootID: boot)
        let new = PartNotes(description: Array("what it now".utf8), bootID: boot)
        var bytes = file(old, [record(1000)])
        bytes.replaceSubrange(..<new.header.count, with: new.header)
        #expect(PartNotes(bytes)?.description == new.description)
        #expect(PartNotes(bytes)?.record(bootID: boot) == nil)
    }

    @Test("after a kill all bytes count, after a restart of the system only those that a record saw on disk")
    func trust() throws {
        let notes = PartNotes(description: [], bootID: boot)
        #expect(notes.trusted(ofPart: 500, bootID: boot) == ByteRanges(first: 500))
        #expect(notes.trusted(ofPart: 500, bootID: other) == ByteRanges())
        let noted = try #require(PartNotes(file(notes, [record(300)])))
        #expect(noted.trusted(ofPart: 500, bootID: boot) == ByteRanges(first: 500))
        #expect(noted.trusted(ofPart: 500, bootID: other) == ByteRanges(first: 300))
        #expect(noted.trusted(ofPart: 200, bootID: other) == ByteRanges(first: 200))
        var unseen = record(300)
        unseen.isDurable = false
        #expect(PartNotes(file(notes, [unseen]))?.trusted(ofPart: 500, bootID: other) == ByteRanges())
        #expect(
            PartNotes(file(notes, [record(200), unseen]))?.trusted(ofPart: 500, bootID: other)
                == ByteRanges(first: 200))
    }

    @Test("with gaps only what was noted counts, and after a restart of the system only what was seen on disk")
    func gaps() throws {
        let notes = PartNotes(description: [], bootID: boot)
        let durable = gapped([0..<100, 200..<300], boot, isDurable: true)
        let later = gapped([0..<100, 200..<350, 400..<450], boot)
        let found = try #require(PartNotes(file(notes, [record(50), durable, later])))
        #expect(found.hasGaps)
        #expect(found.trusted(ofPart: 500, bootID: boot) == later.present)
        #expect(found.trusted(ofPart: 420, bootID: boot).ranges == [0..<100, 200..<350, 400..<420])
        #expect(found.trusted(ofPart: 500, bootID: other) == durable.present)
        // What goes on after the restart knows less than what went before.
        let after = gapped([0..<110, 200..<300], other)
        let again = try #require(PartNotes(file(found, [after])))
        #expect(again.trusted(ofPart: 500, bootID: other) == after.present)
    }

    @Test("a torn note of gaps leaves what was known before, and never more than there was")
    func tornGaps() {
        let notes = PartNotes(description: Array("what it is".utf8), bootID: boot)
        let all = [gapped([0..<100, 200..<210], boot), gapped([0..<100, 200..<300], boot)]
        let bytes = file(notes, all)
        for index in notes.header.count..<bytes.count {
            var damaged = bytes
            damaged[index] ^= 0x10
            let found = PartNotes(damaged)?.trusted(ofPart: 1000, bootID: boot)
            #expect(all.contains { $0.present == found })
        }
    }

    @Test("as many gaps as a download has segments are kept")
    func mostGaps() throws {
        let notes = PartNotes(description: [], bootID: boot)
        let full = gapped((0...16).map { Int64($0) * 100..<(Int64($0) * 100 + 50) }, boot)
        let found = try #require(PartNotes(file(notes, [full])))
        #expect(found.trusted(ofPart: 10_000, bootID: boot) == full.present)
        let more = gapped((0...40).map { Int64($0) * 100..<(Int64($0) * 100 + 50) }, boot)
        let kept = try #require(PartNotes(file(notes, [more]))).trusted(ofPart: 10_000, bootID: boot)
        #expect(kept.count > 0 && kept.ranges.allSatisfy { more.present.contains($0) })
    }

    @Test("a digest goes on where it was, at any byte", arguments: [0, 1, 63, 64, 65, 1000])
    func digest(count: Int) {
        let bytes = (0..<2000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var whole = RunningDigest()
        bytes.withUnsafeBytes { whole.add($0) }
        var first = RunningDigest()
        bytes[..<count].withUnsafeBytes { first.add($0) }
        var second = RunningDigest(state: first.kept, count: Int64(count))
        bytes[count...].withUnsafeBytes { second?.add($0) }
        #expect(second?.value == whole.value)
    }
}
