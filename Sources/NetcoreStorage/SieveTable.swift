/// Entries under keys, in a hash table with open addressing and in one queue by age, for SIEVE (Zhang et al., NSDI
/// 2024): a hit leaves a mark; the hand goes from old to young, takes marks away, and evicts what has none.
///
/// So a hit moves nothing, and a scan passes through without pushing out what was used more than once.
///
/// The values are objects of any class: code that is generic over them would not be compiled for their class in the
/// modules that use it, and take five times as long.
struct SieveTable {
    typealias Value = AnyObject & Sendable

    private struct Node {
        var key: StoreKey
        var value: (any Value)?
        var cost: Int
        /// Towards the young, and towards the old; -1 at the ends.
        var younger: Int32
        var older: Int32
        var isMarked: Bool
    }

    private var nodes: ContiguousArray<Node> = []
    private var free: ContiguousArray<Int32> = []
    /// The numbers of nodes, at or after the place that the hash says; -1 where there is none.
    private var slots = ContiguousArray<Int32>(repeating: -1, count: 16)
    private var youngest: Int32 = -1
    private var oldest: Int32 = -1
    private var hand: Int32 = -1
    private(set) var count = 0
    private(set) var bytes = 0

    /// The value under a key, and a mark that it was used.
    mutating func use(_ key: StoreKey) -> (any Value)? {
        guard let slot = slot(of: key) else { return nil }
        let node = Int(slots[slot])
        nodes[node].isMarked = true
        return nodes[node].value
    }

    /// The value under a key; it does not count as used.
    func peek(_ key: StoreKey) -> (any Value)? { slot(of: key).flatMap { nodes[Int(slots[$0])].value } }

    /// Adds an entry, whose key has none.
    mutating func insert(_ key: StoreKey, _ value: any Value, cost: Int) {
        if (count + 1) * 2 > slots.count { grow() }
        let node = Node(key: key, value: value, cost: cost, younger: -1, older: youngest, isMarked: false)
        let number: Int32
        if let reused = free.popLast() {
            number = reused
            nodes[Int(reused)] = node
        } else {
            number = Int32(nodes.count)
            nodes.append(node)
        }
        if youngest >= 0 { nodes[Int(youngest)].younger = number } else { oldest = number }
        youngest = number
        place(number, key.hash)
        count += 1
        bytes += cost
    }

    mutating func remove(_ key: StoreKey) -> (any Value)? {
        slot(of: key).flatMap { remove(slot: $0) }
    }

    /// Removes the entry that is worth least.
    mutating func evict() -> (any Value)? {
        var candidate = hand >= 0 ? hand : oldest
        while candidate >= 0, nodes[Int(candidate)].isMarked {
            nodes[Int(candidate)].isMarked = false
            let next = nodes[Int(candidate)].younger
            candidate = next >= 0 ? next : oldest
        }
        guard candidate >= 0 else { return nil }
        hand = candidate
        return remove(nodes[Int(candidate)].key)
    }

    /// The keys of those entries that a condition holds for.
    func keys(where isWanted: (StoreKey, any Value) -> Bool) -> [StoreKey] {
        nodes.compactMap { node in
            guard let value = node.value, isWanted(node.key, value) else { return nil }
            return node.key
        }
    }

    private mutating func remove(slot: Int) -> (any Value)? {
        let number = slots[slot]
        let node = nodes[Int(number)]
        if node.younger >= 0 { nodes[Int(node.younger)].older = node.older } else { youngest = node.older }
        if node.older >= 0 { nodes[Int(node.older)].younger = node.younger } else { oldest = node.younger }
        if hand == number { hand = node.younger }
        nodes[Int(number)].value = nil
        nodes[Int(number)].key = .none
        free.append(number)
        count -= 1
        bytes -= node.cost
        close(slot)
        return node.value
    }

    private func slot(of key: StoreKey) -> Int? {
        let mask = slots.count - 1
        var slot = key.hash & mask
        while slots[slot] >= 0 {
            if nodes[Int(slots[slot])].key == key { return slot }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private mutating func place(_ number: Int32, _ hash: Int) {
        let mask = slots.count - 1
        var slot = hash & mask
        while slots[slot] >= 0 { slot = (slot + 1) & mask }
        slots[slot] = number
    }

    /// Empties a slot and moves those after it up, so that no search ends too early.
    private mutating func close(_ empty: Int) {
        let mask = slots.count - 1
        var hole = empty
        var slot = (empty + 1) & mask
        while slots[slot] >= 0 {
            let home = nodes[Int(slots[slot])].key.hash & mask
            if (slot - home) & mask >= (slot - hole) & mask {
                slots[hole] = slots[slot]
                hole = slot
            }
            slot = (slot + 1) & mask
        }
        slots[hole] = -1
    }

    private mutating func grow() {
        slots = ContiguousArray(repeating: -1, count: slots.count * 2)
        for (number, node) in nodes.enumerated() where node.value != nil { place(Int32(number), node.key.hash) }
    }
}
