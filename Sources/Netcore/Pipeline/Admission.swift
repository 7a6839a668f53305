internal import NetcoreSupport
internal import NetcoreTransport

/// Who may transfer now: a pure state machine over hosts and their waiting lines.
struct Admission<Item: AnyObject> {
    var transfers: Int
    var transfersPerHost: Int
    private var active = 0
    private var lines: [ObjectIdentifier: Line] = [:]
    /// Hosts that have a line, in turn.
    private var turns = FIFO<Host>()
    /// Whether an item still waits: those that left are passed over when their turn comes.
    private let isWaiting: (Item) -> Bool

    private struct Line {
        var items = FIFO<Item>()
        /// Items that still wait.
        var live = 0
    }

    init(transfers: Int, transfersPerHost: Int, isWaiting: @escaping (Item) -> Bool) {
        self.transfers = transfers
        self.transfersPerHost = transfersPerHost
        self.isWaiting = isWaiting
    }

    /// Takes a slot for an item, or puts it in the host's line: at its end, or, for one that had a slot before, at its
    /// head. Returns whether it has a slot.
    mutating func admit(_ item: Item, to host: Host, isFirst: Bool) -> Bool {
        let key = ObjectIdentifier(host)
        let hasLine = !lines.isEmpty && lines[key] != nil
        if active < transfers, host.active < transfersPerHost, !hasLine || isFirst {
            take(host)
            return true
        }
        if !hasLine { turns.append(host) }
        lines[key, default: Line()].live += 1
        if isFirst {
            lines[key]?.items.prepend(item)
        } else {
            lines[key]?.items.append(item)
        }
        return false
    }

    /// Gives a slot back.
    mutating func release(_ host: Host) {
        active -= 1
        host.active -= 1
    }

    /// The next item that has a slot now; call until nil.
    mutating func next() -> Item? {
        guard !lines.isEmpty, active < transfers else { return nil }
        for _ in 0..<turns.count {
            guard let host = turns.popFirst() else { return nil }
            guard host.active < transfersPerHost else {
                turns.append(host)
                continue
            }
            guard let item = popWaiting(ObjectIdentifier(host)) else { continue }
            if lines[ObjectIdentifier(host)] != nil { turns.append(host) }
            take(host)
            return item
        }
        return nil
    }

    /// An item has left its host's line; it no longer counts as waiting.
    mutating func forget(_ host: Host) {
        let key = ObjectIdentifier(host)
        guard var line = lines.removeValue(forKey: key) else { return }
        line.live -= 1
        guard line.live > 0 else {
            turns.removeAll { $0 === host }
            return
        }
        // Those that left hold memory until their turn; not more than the others do.
        if line.items.count > 64, line.live < line.items.count / 2 { line.items.removeAll { !isWaiting($0) } }
        lines[key] = line
    }

    private mutating func popWaiting(_ key: ObjectIdentifier) -> Item? {
        while let item = lines[key]?.items.popFirst() {
            guard isWaiting(item) else { continue }
            lines[key]?.live -= 1
            if lines[key]?.live == 0 { lines[key] = nil }
            return item
        }
        lines[key] = nil
        return nil
    }

    private mutating func take(_ host: Host) {
        active += 1
        host.active += 1
    }
}
