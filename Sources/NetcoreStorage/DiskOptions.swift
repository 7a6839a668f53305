package import NetcoreSupport

/// How much a disk store may hold.
package struct DiskLimits: Sendable, Equatable {
    /// As counted: what each entry takes on the disk, not the size of the database file.
    package var bytes: Int
    package var count: Int

    package init(bytes: Int = 200 << 20, count: Int = .max) {
        self.bytes = bytes
        self.count = count
    }
}

/// How a disk store works.
package struct DiskOptions: Sendable {
    package var limits = DiskLimits()
    /// Bodies that take more than this, packed, get a file of their own.
    package var largeBody = 64 << 10
    /// What may wait to be written; beyond that, answers are not stored.
    package var queueBytes = 16 << 20
    package var queueCount = 4096
    /// How long to wait after storing failed before it is tried again.
    package var retryMilliseconds = 30_000
    package var clock: @Sendable () -> MonotonicTime = { .now }
    /// Called on the thread that found out, with no lock held.
    package var onEvent: @Sendable (StoreEvent) -> Void = { _ in }

    package init() {}

    /// Why a path cannot be a store's folder, whatever is on the disk else: it is too long, or there is a file in its
    /// place, or in that of a folder above it. Nil when none of it is so.
    package static func objection(to folder: String) -> String? {
        let size = folder.utf8.count
        guard size <= StoreFolder.longestPath else { return "a path of \(size) bytes is too long" }
        return StoreFolder.obstacle(folder).map { "\($0) is not a folder" }
    }
}

/// What a disk store did since it was opened, and what it holds.
package struct DiskStatistics: Sendable, Equatable {
    package var hits = 0
    package var misses = 0
    /// Bytes of the bodies served.
    package var bytesServed = 0
    /// By this store, to keep to its limits.
    package var evictions = 0
    /// Entries that were found damaged.
    package var damaged = 0
    /// Answers that were not stored: the queue was full, others were writing for too long, or storing had stopped.
    package var skipped = 0
    /// In the folder, from all processes, as of this store's last write.
    package var bytes = 0
    package var count = 0

    package init() {}
}
