@testable import NetcoreStorage
import Testing

@Suite struct PartNotesTests {
    private let boot = Array("0b1d0f4e-0000-0000-0000-000000000001".utf8)
    private let other = Array("0b1d0f4e-0000-0000-0000-000000000002".utf8)

    private func file(_ notes: PartNotes, _ records: [PartNotes.Record]) -> [UInt8] {
        var bytes = notes.header
        for (turn, record) in records.enumerated() {
            let (offset, more) = notes.place(of: record, turn: turn)
            bytes += [UInt8](repeating: 0, count: max(Int(offset) + more.count - bytes.count, 0))
            bytes.replaceSubrange(Int(offset)..<(Int(offset) + more.count), with: more)
        }
        return bytes
    }

    private func record(_ position: Int64) -> PartNotes.Record { .init(position: position, bootID: boot) }

    @Test("the last record counts, and two places are enough for all")
    func records() {
        let notes = PartNotes(description: Array("what it is".utf8), bootID: boot)
        let bytes = file(notes, (1...7).map { record($0 * 1000) })
        #expect(bytes.count == file(notes, [record(1), record(2)]).count)
        #expect(PartNotes(bytes)?.record == record(7000))
        #expect(PartNotes(bytes)?.description == notes.description)
        #expect(PartNotes(notes.header)?.record == nil)
    }

    @Test("a torn record leaves the one before, a torn header nothing")
    func torn() {
        let notes = PartNotes(description: Array("what it is".utf8), bootID: boot)
        let bytes = file(notes, [record(1000), record(2000)])
        for count in bytes.indices {
            let found = PartNotes(Array(bytes[..<count]))
            #expect(found == nil || found?.record == nil || found?.record == record(1000))
        }
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 0x10
            let position = PartNotes(damaged)?.record?.position
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
        #expect(PartNotes(bytes)?.record == nil)
    }

    @Test("after a kill all bytes count, after a restart of the system only those that a record saw on disk")
    func trust() {
        var notes = PartNotes(description: [], bootID: boot)
        #expect(notes.trustedSize(ofPart: 500, bootID: boot) == 500)
        #expect(notes.trustedSize(ofPart: 500, bootID: other) == 0)
        notes.record = record(300)
        #expect(notes.trustedSize(ofPart: 500, bootID: boot) == 500)
        #expect(notes.trustedSize(ofPart: 500, bootID: other) == 300)
        #expect(notes.trustedSize(ofPart: 200, bootID: other) == 200)
        notes.record?.isDurable = false
        #expect(notes.trustedSize(ofPart: 500, bootID: other) == 0)
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
