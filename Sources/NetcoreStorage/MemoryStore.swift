internal import NetcoreSupport

/// How much a memory store may hold.
package struct MemoryLimits: Sendable, Equatable {
    package var bytes: Int
    package var count: Int

    package init(bytes: Int = 20 << 20, count: Int = .max) {
        self.bytes = bytes
        self.count = count
    }
}

/// What a memory store did so far, and what it holds.
package struct MemoryStatistics: Sendable, Equatable {
    package var hits = 0
    package var misses = 0
    package var evictions = 0
    package var bytes = 0
    package var count = 0
}

/// The memory tier: values under keys, bounded by bytes and by count; for any thread.
///
/// Eviction is by SIEVE (``SieveTable``). Values are released outside the lock: that may run code of the user's.
package final class MemoryStore<Value: AnyObject & Sendable>: @unchecked Sendable {  // all state is under `lock`
    private let lock = Lock()
    private var table = SieveTable()
    private var limits: MemoryLimits
    private var hits = 0
    private var misses = 0
    private var evictions = 0

    package init(limits: MemoryLimits = MemoryLimits()) { self.limits = limits }

    package func get(_ key: StoreKey) -> Value? {
        lock.lock()
        defer { lock.unlock() }
        guard let value = table.use(key) else {
            misses += 1
            return nil
        }
        hits += 1
        return unsafeDowncast(value, to: Value.self)
    }

    /// The value of a key; it does not count as used.
    package func peek(_ key: StoreKey) -> Value? {
        lock.withLock { table.peek(key).map { unsafeDowncast($0, to: Value.self) } }
    }

    /// All values, in no particular order.
    package var values: [Value] {
        lock.withLock {
            var values: [Value] = []
            _ = table.keys { _, value in
                values.append(unsafeDowncast(value, to: Value.self))
                return false
            }
            return values
        }
    }

    /// Puts a value in place of what the key had. Returns false when it costs more than the whole store may hold; the
    /// key then has none.
    @discardableResult
    package func set(_ key: StoreKey, _ value: Value, cost: Int) -> Bool {
        var displaced: [AnyObject] = []
        return set(key, value, cost: cost, &displaced)
    }

    /// The same for callers who hold a lock: what had to go is released by them, once they hold none.
    @discardableResult
    package func set(_ key: StoreKey, _ value: Value, cost: Int, _ displaced: inout [AnyObject]) -> Bool {
        let cost = max(cost, 0)
        return lock.withLock {
            if let replaced = table.remove(key) { displaced.append(replaced) }
            guard cost <= limits.bytes, limits.count > 0 else { return false }
            trim(&displaced, for: cost)
            table.insert(key, value, cost: cost)
            return true
        }
    }

    /// Removes a value and returns it.
    @discardableResult
    package func remove(_ key: StoreKey) -> Value? {
        lock.withLock { table.remove(key).map { unsafeDowncast($0, to: Value.self) } }
    }

    /// Removes those values that a condition holds for, which must not call the store. Returns how many.
    @discardableResult
    package func removeAll(where shouldRemove: (StoreKey, Value) -> Bool = { _, _ in true }) -> Int {
        let removed = lock.withLock {
            table.keys { shouldRemove($0, unsafeDowncast($1, to: Value.self)) }.compactMap { table.remove($0) }
        }
        return removed.count
    }

    /// Changes the limits, and evicts what is beyond them.
    package func setLimits(_ new: MemoryLimits) {
        var evicted: [AnyObject] = []
        lock.withLock {
            limits = new
            trim(&evicted)
        }
    }

    package var statistics: MemoryStatistics {
        lock.withLock {
            MemoryStatistics(
                hits: hits, misses: misses, evictions: evictions, bytes: table.bytes, count: table.count)
        }
    }

    package var currentLimits: MemoryLimits { lock.withLock { limits } }

    /// Under the lock: evicts until the limits are kept, with room for one more of that cost.
    private func trim(_ evicted: inout [AnyObject], for cost: Int? = nil) {
        let bytes = limits.bytes - (cost ?? 0)
        let count = limits.count - (cost == nil ? 0 : 1)
        while table.bytes > bytes || table.count > count, let value = table.evict() {
            evicted.append(value)
            evictions += 1
        }
    }
}
