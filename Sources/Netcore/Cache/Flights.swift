internal import NetcoreStorage
internal import NetcoreSupport

/// Requests on their way whose answer others wait for: identical misses send one. Confined to one loop.
struct Flights {
    private struct Flight {
        let leader: ObjectIdentifier
        var followers: [Exchange] = []
    }

    private var flights: [StoreKey: Flight] = [:]
    /// Keys whose last answer could not be shared: their requests go side by side. The oldest are forgotten.
    private var unshared: Set<StoreKey> = []
    private var unsharedOrder = FIFO<StoreKey>()
    private static let mostUnshared = 1024

    func isLed(_ key: StoreKey) -> Bool { flights[key] != nil }

    /// Whether an exchange is to go to the origin; if not, it waits, and is among those that ``land(_:_:)`` returns.
    mutating func board(_ exchange: Exchange, _ key: StoreKey) -> Bool {
        guard flights[key] != nil else {
            if !unshared.contains(key) { flights[key] = Flight(leader: ObjectIdentifier(exchange)) }
            return true
        }
        flights[key]?.followers.append(exchange)
        return false
    }

    /// The leader's answer is there, or it has none. Returns those that waited for it.
    mutating func land(_ exchange: Exchange, _ key: StoreKey) -> [Exchange] {
        guard let flight = flights[key], flight.leader == ObjectIdentifier(exchange) else { return [] }
        flights[key] = nil
        return flight.followers
    }

    /// One that waited no longer does.
    mutating func leave(_ exchange: Exchange, _ key: StoreKey) {
        flights[key]?.followers.removeAll { $0 === exchange }
    }

    /// Whether the last answer to a key could be shared.
    mutating func note(_ key: StoreKey, isShared: Bool) {
        if isShared {
            unshared.remove(key)
        } else if unshared.insert(key).inserted {
            unsharedOrder.append(key)
            if unsharedOrder.count > Self.mostUnshared, let oldest = unsharedOrder.popFirst() {
                unshared.remove(oldest)
            }
        }
    }
}
