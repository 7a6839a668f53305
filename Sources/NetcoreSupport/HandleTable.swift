/// What a handle stands for.
package enum HandleKind: UInt8, Sendable {
    case client = 1
    case request = 2
    case task = 3
    case group = 4
    case response = 5
    case cache = 6
    case hop = 7
    case eventSource = 8
    case observer = 9
    case stubs = 10
    case taskScope = 11
    case cassette = 12
    case pages = 13
    case module = 14
    case api = 15
    case clock = 16
}

/// The process's table of handles: numbers below 2^53 for objects.
///
/// A handle is kind (5 bits), generation (24 bits) and slot (24 bits), from the top. A slot's generation grows each time
/// it is freed, and a slot whose generations are used up is retired, so that no value comes back.
package final class HandleTable: @unchecked Sendable {  // all state is under `lock`
    package static let shared = HandleTable()

    package static let slotBits: UInt64 = 24
    package static let generationBits: UInt64 = 24

    private struct Entry {
        var object: AnyObject?
        var generation: UInt32 = 1
        var references: UInt32 = 0
        var forkCount: UInt32 = 0
        var nextFree: Int32 = -1
        var kind: UInt8 = 0
    }

    fileprivate let tableLock = Lock()
    private var entries: ContiguousArray<Entry> = []
    private var firstFree: Int32 = -1
    private var liveCount = 0
    private let maxGeneration: UInt32
    private let maxSlots: Int

    /// Smaller bounds are for tests.
    package init(maxSlots: Int = 1 << 24, maxGeneration: UInt32 = 1 << 24 - 1) {
        self.maxSlots = maxSlots
        self.maxGeneration = maxGeneration
    }

    var lock: Lock { tableLock }

    /// The number of live handles.
    package var count: Int { tableLock.withLock { liveCount } }

    /// Adds an object with one reference. Returns 0 when no slot is left.
    package func insert(_ object: AnyObject, _ kind: HandleKind) -> UInt64 {
        tableLock.lock()
        defer { tableLock.unlock() }
        var slot = Int(firstFree)
        if slot < 0 {
            guard entries.count < maxSlots else { return 0 }
            slot = entries.count
            entries.append(Entry())
        }
        liveCount += 1
        return entries.withUnsafeMutableBufferPointer { buffer in
            firstFree = buffer[slot].nextFree
            buffer[slot].object = object
            buffer[slot].kind = kind.rawValue
            buffer[slot].references = 1
            buffer[slot].forkCount = Fork.count
            buffer[slot].nextFree = -1
            return UInt64(kind.rawValue) << (Self.slotBits + Self.generationBits)
                | UInt64(buffer[slot].generation) << Self.slotBits | UInt64(slot)
        }
    }

    /// The object behind a handle of that kind, or nil.
    package func object(_ handle: UInt64, _ kind: HandleKind) -> AnyObject? {
        tableLock.lock()
        defer { tableLock.unlock() }
        guard let slot = liveSlot(handle, kind), entries[slot].forkCount == Fork.count else { return nil }
        return entries[slot].object
    }

    /// Whether a handle is one that the parent made before the fork.
    package func isForked(_ handle: UInt64, _ kind: HandleKind) -> Bool {
        tableLock.withLock {
            guard let slot = liveSlot(handle, kind) else { return false }
            return entries[slot].forkCount != Fork.count
        }
    }

    /// Adds a reference. Returns false for a handle that is not valid.
    package func retain(_ handle: UInt64, _ kind: HandleKind) -> Bool {
        tableLock.withLock {
            guard let slot = liveSlot(handle, kind), entries[slot].forkCount == Fork.count,
                entries[slot].references < .max
            else { return false }
            entries[slot].references += 1
            return true
        }
    }

    /// Takes a reference away; the last one frees the handle. Returns the object, or nil for a handle that is not valid.
    @discardableResult
    package func release(_ handle: UInt64, _ kind: HandleKind) -> AnyObject? {
        tableLock.lock()
        defer { tableLock.unlock() }
        guard let slot = liveSlot(handle, kind), entries[slot].forkCount == Fork.count else { return nil }
        let object = entries[slot].object
        entries[slot].references -= 1
        if entries[slot].references == 0 { free(slot) }
        return object
    }

    private func free(_ slot: Int) {
        entries[slot].object = nil
        entries[slot].kind = 0
        liveCount -= 1
        guard entries[slot].generation < maxGeneration else { return }
        entries[slot].generation += 1
        entries[slot].nextFree = firstFree
        firstFree = Int32(slot)
    }

    private func liveSlot(_ handle: UInt64, _ kind: HandleKind) -> Int? {
        let slot = Int(handle & (1 << Self.slotBits - 1))
        let generation = UInt32(handle >> Self.slotBits & (1 << Self.generationBits - 1))
        guard handle >> (Self.slotBits + Self.generationBits) == UInt64(kind.rawValue), slot < entries.count,
            entries[slot].generation == generation, entries[slot].kind == kind.rawValue
        else { return nil }
        return slot
    }
}
