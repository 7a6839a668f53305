internal import Glibc

/// Growing bytes on the C heap, so that running out of memory is an answer and the bytes can be lent to C as they are.
///
/// Filled by one owner, then only read: after that it may be shared.
package final class ByteBuffer: @unchecked Sendable {  // see above
    private var storage: UnsafeMutableRawPointer?
    /// From ``LargeBlock/smallest`` on, `storage` is such a block.
    private var capacity = 0
    package private(set) var count = 0

    package init() {}

    /// A copy of bytes; nil when memory ran out.
    package convenience init?(copying bytes: UnsafeRawBufferPointer) {
        self.init()
        guard reserve(bytes.count), append(bytes) else { return nil }
    }

    deinit { release() }

    private func release() {
        if let storage, capacity >= LargeBlock.smallest { LargeBlock.free(storage, capacity) } else { free(storage) }
    }

    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: storage, count: count) }

    /// Makes room for `size` bytes in all. Returns false when memory ran out; what is there stays.
    package func reserve(_ size: Int) -> Bool {
        guard size > capacity else { return true }
        if capacity >= LargeBlock.smallest {
            return resizeBlock(to: size)
        } else if size >= LargeBlock.smallest {
            guard let (moved, size) = LargeBlock.allocate(size) else { return false }
            move(to: moved, size)
        } else {
            guard let moved = realloc(storage, size) else { return false }
            storage = moved
            capacity = size
        }
        return true
    }

    private func resizeBlock(to size: Int) -> Bool {
        guard let storage, let resized = LargeBlock.resize(storage, capacity, to: size) else { return false }
        (self.storage, capacity) = resized
        return true
    }

    private func move(to room: UnsafeMutableRawPointer, _ size: Int) {
        if let storage { memcpy(room, storage, count) }
        release()
        storage = room
        capacity = size
    }

    /// Adds bytes at the end. Returns false when memory ran out; what is there stays.
    @discardableResult
    package func append(_ more: UnsafeRawBufferPointer) -> Bool {
        guard let source = more.baseAddress, !more.isEmpty else { return true }
        guard let room = room(for: more.count) else { return false }
        memcpy(room, source, more.count)
        count += more.count
        return true
    }

    @discardableResult
    package func append(_ byte: UInt8) -> Bool {
        guard let room = room(for: 1) else { return false }
        room.storeBytes(of: byte, as: UInt8.self)
        count += 1
        return true
    }

    /// Free space for at least `size` bytes after the last one, to be filled and then taken in with ``commit(_:)``.
    package func room(for size: Int) -> UnsafeMutableRawPointer? {
        let (needed, overflow) = count.addingReportingOverflow(size)
        if needed > capacity || overflow {
            let more = capacity < 1 << 20 ? capacity * 2 : capacity + capacity / 2
            guard !overflow, reserve(max(needed, more)) else { return nil }
        }
        return storage.map { $0 + count }
    }

    package func commit(_ size: Int) {
        precondition(size >= 0 && count + size <= capacity)
        count += size
    }

    /// Drops the last bytes.
    package func removeLast(_ size: Int) {
        precondition(size >= 0 && size <= count)
        count -= size
    }

    package func removeAll() { count = 0 }

    /// Gives unused memory back, where that is more than a quarter.
    package func trim() {
        guard let storage, capacity - count > max(count / 4, 4096) else { return }
        let size = max(count, 1)
        if size >= LargeBlock.smallest {
            _ = resizeBlock(to: size)
        } else if capacity >= LargeBlock.smallest {
            if let smaller = malloc(size) { move(to: smaller, size) }
        } else if let smaller = realloc(storage, size) {
            self.storage = smaller
            capacity = size
        }
    }
}
