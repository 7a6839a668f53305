internal import NetcoreSupport
internal import Synchronization

/// Which database files stores of this process have open, in a table without a lock, so that a fork cannot leave it
/// locked.
///
/// SQLite keeps what it knows of an open file per process, locks included, and the child of a fork inherits the
/// knowledge without the locks. So a child must not open a file that its parent had open at the fork: it would take
/// itself for the owner of locks that it does not have.
enum OpenFiles {
    /// Never freed or replaced; its elements are atomic. The file in the upper 48 bits, the count of forks at its opening in the lower 16; 0 is free.
    nonisolated(unsafe) private static let slots: UnsafeMutableBufferPointer<Atomic<UInt64>> = {
        let slots = UnsafeMutableBufferPointer<Atomic<UInt64>>.allocate(capacity: 256)
        for slot in slots.indices { slots.initializeElement(at: slot, to: Atomic(0)) }
        return slots
    }()

    private static func mark(_ file: UInt64) -> UInt64 { file << 16 | UInt64(Fork.count & 0xFFFF) }

    /// Whether an ancestor had the file open when it forked.
    static func isInherited(_ file: UInt64) -> Bool {
        let mark = mark(file)
        return slots.indices.contains { slot in
            let other = slots[slot].load(ordering: .relaxed)
            return other != 0 && other >> 16 == mark >> 16 && other != mark
        }
    }

    /// Notes that a store opened a file. Beyond 256 at once nothing is noted.
    static func add(_ file: UInt64) { exchange(0, for: mark(file)) }

    static func remove(_ file: UInt64) { exchange(mark(file), for: 0) }

    /// Puts a value in place of another, in one slot.
    private static func exchange(_ old: UInt64, for new: UInt64) {
        for slot in slots.indices
        where slots[slot].compareExchange(expected: old, desired: new, ordering: .relaxed).exchanged {
            return
        }
    }
}
