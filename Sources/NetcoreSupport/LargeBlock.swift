internal import CLinux
internal import Glibc
internal import Synchronization

/// Memory of 2 MiB and more, in huge pages where the system has them.
///
/// malloc() maps such memory anew each time, or trims its heap after it, as sizes happen to follow each other: then each 4 KiB cost a
/// fault. The block that was freed last is kept for the next one; the system may take its pages back at any time.
enum LargeBlock {
    static let smallest = 2 << 20
    private static let largestKept = 32 << 20
    private static let hugePage = 2 << 20
    private static let page = 4096

    /// The address of the block that is kept, with its size in it; 0 for none.
    private static let kept = Atomic<UInt>(0)

    /// A block of at least `size` bytes, and its size. Nil when memory ran out.
    static func allocate(_ size: Int) -> (start: UnsafeMutableRawPointer, size: Int)? {
        guard let rounded = rounded(size) else { return nil }
        if let start = UnsafeMutableRawPointer(bitPattern: kept.exchange(0, ordering: .acquiring)) {
            let size = start.load(as: Int.self)
            if size >= rounded, size <= rounded * 2 { return (start, size) }
            munmap(start, size)
        }
        return map(rounded).map { ($0, rounded) }
    }

    static func free(_ start: UnsafeMutableRawPointer, _ size: Int) {
        guard size <= largestKept, madvise(start, size, MADV_FREE) == 0 else {
            munmap(start, size)
            return
        }
        start.storeBytes(of: size, as: Int.self)
        let last = kept.exchange(UInt(bitPattern: start), ordering: .acquiringAndReleasing)
        if let last = UnsafeMutableRawPointer(bitPattern: last) { munmap(last, last.load(as: Int.self)) }
    }

    /// The same block with another size, in its place or moved. Nil when memory ran out: it stays as it is.
    static func resize(
        _ start: UnsafeMutableRawPointer, _ size: Int, to wanted: Int
    ) -> (start: UnsafeMutableRawPointer, size: Int)? {
        guard let rounded = rounded(wanted) else { return nil }
        return netcore_remap(start, UInt(size), UInt(rounded)).map { ($0, rounded) }
    }

    private static func rounded(_ size: Int) -> Int? {
        size <= Int.max - 2 * hugePage ? (size + page - 1) & ~(page - 1) : nil
    }

    private static func map(_ size: Int) -> UnsafeMutableRawPointer? {
        let mapped = mmap(nil, size + hugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let mapped, mapped != MAP_FAILED else { return nil }
        let before = -Int(bitPattern: mapped) & (hugePage - 1)
        let start = mapped + before
        if before > 0 { munmap(mapped, before) }
        if before < hugePage { munmap(start + size, hugePage - before) }
        madvise(start, size, MADV_HUGEPAGE)
        return start
    }
}
