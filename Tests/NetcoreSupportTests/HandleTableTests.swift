import NetcoreSupport
import Testing

@Suite struct HandleTableTests {
    private final class Thing {}

    @Test("a handle finds its object, and only by its kind")
    func kinds() {
        let table = HandleTable()
        let thing = Thing()
        let handle = table.insert(thing, .request)
        #expect(table.object(handle, .request) === thing)
        #expect(table.object(handle, .client) == nil)
        #expect(table.object(handle ^ 1 << 60, .request) == nil)
        #expect(table.object(0, .request) == nil)
        #expect(table.object(.max, .request) == nil)
    }

    @Test(
        "a handle fits into a double, for each kind",
        arguments: [HandleKind.client, .request, .task, .group, .response])
    func size(kind: HandleKind) {
        let handle = HandleTable().insert(Thing(), kind)
        #expect(handle > 0 && handle < 1 << 53)
        #expect(UInt64(Double(handle)) == handle)
    }

    @Test("a freed handle stays invalid when its slot is used again")
    func stale() {
        let table = HandleTable()
        let first = table.insert(Thing(), .task)
        table.release(first, .task)
        let second = table.insert(Thing(), .task)
        #expect(first != second)
        #expect(table.object(first, .task) == nil)
        #expect(table.object(second, .task) != nil)
        #expect(table.release(first, .task) == nil)
    }

    @Test("the last release frees")
    func references() {
        let table = HandleTable()
        let handle = table.insert(Thing(), .response)
        #expect(table.retain(handle, .response))
        table.release(handle, .response)
        #expect(table.object(handle, .response) != nil)
        table.release(handle, .response)
        #expect(table.object(handle, .response) == nil)
        #expect(!table.retain(handle, .response))
        #expect(table.count == 0)
    }

    @Test("a slot whose generations are used up is retired, and a full table answers 0")
    func exhaustion() {
        let table = HandleTable(maxSlots: 2, maxGeneration: 3)
        var seen: Set<UInt64> = []
        while true {
            let handle = table.insert(Thing(), .task)
            guard handle != 0 else { break }
            #expect(seen.insert(handle).inserted)
            table.release(handle, .task)
        }
        #expect(seen.count == 6)
    }
}

@Suite struct DeadlineHeapTests {
    @Test("entries come out in order of time, and not before their time")
    func order() {
        var heap = DeadlineHeap()
        let times = [50, 10, 40, 20, 30, 10, 60, 5]
        for (id, time) in times.enumerated() {
            heap.insert(DeadlineHeap.Entry(time: MonotonicTime(microseconds: time), id: id))
        }
        var popped: [Int] = []
        while let entry = heap.popDue(MonotonicTime(microseconds: 40)) { popped.append(entry.time.microseconds) }
        #expect(popped == [5, 10, 10, 20, 30, 40])
        #expect(heap.next.microseconds == 50)
    }
}

@Suite struct ByteBufferTests {
    @Test("bytes stay as they were through growth and trimming")
    func growth() {
        let buffer = ByteBuffer()
        for value in 0..<100_000 { buffer.append(UInt8(truncatingIfNeeded: value &* 31)) }
        buffer.trim()
        #expect(buffer.count == 100_000)
        #expect(buffer.bytes.enumerated().allSatisfy { $1 == UInt8(truncatingIfNeeded: $0 &* 31) })
    }

    @Test("large bytes stay as they were, too, in memory that was used before", arguments: [0, 3 << 20, 9 << 20])
    func blocks(reserved: Int) {
        for count in [5 << 20, (2 << 20) + 1, 7_654_321, 3 << 20] {
            let buffer = ByteBuffer()
            #expect(buffer.reserve(reserved))
            let piece = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 / 7 &* 31 &+ count) }
            while buffer.count < count {
                piece.withUnsafeBytes { bytes in
                    #expect(buffer.append(UnsafeRawBufferPointer(rebasing: bytes.prefix(count - buffer.count))))
                }
            }
            buffer.trim()
            #expect(buffer.count == count)
            #expect(buffer.bytes.enumerated().allSatisfy { $1 == piece[$0 % piece.count] })
            buffer.removeLast(count - 1000)
            buffer.trim()
            #expect(buffer.bytes.elementsEqual(piece.prefix(1000)))
        }
    }

    @Test("a size that no memory has is refused, and what is there stays")
    func tooLarge() {
        let buffer = ByteBuffer()
        #expect(buffer.append(7))
        for size in [Int.max, Int.max - 4096, 1 << 60] { #expect(!buffer.reserve(size)) }
        #expect(buffer.reserve(4 << 20))
        for size in [Int.max, Int.max - 4096, 1 << 60] { #expect(!buffer.reserve(size)) }
        #expect(buffer.bytes.elementsEqual([7]))
    }

    @Test("times that do not fit never come")
    func overflow() {
        #expect(MonotonicTime(microseconds: .max - 1).adding(milliseconds: 1) == .never)
        #expect(MonotonicTime(microseconds: 0).adding(milliseconds: .max) == .never)
    }
}
