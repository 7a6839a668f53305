internal import NetcoreSupport
internal import NetcoreTransport

/// What waits for a slot.
protocol AdmissionItem: AnyObject {
    /// Kept by ``Admission``: in a line, and counted there.
    var isInLine: Bool { get set }
    /// No longer wants a slot; its turn is passed over.
    var hasGivenUp: Bool { get }
}

/// Who may transfer now: a pure state machine over hosts and their waiting lines.
struct Admission<Item: AdmissionItem> {
    var transfers: Int
    var transfersPerHost: Int
    private var active = 0
    private var lines: [ObjectIdentifier: Line] = [:]
    /// Hosts that have a line, in turn.
    private var turns = FIFO<Host>()

    private struct Line {
        var items = FIFO<Item>()
        /// Items that are still in line; the others only wait to be dropped.
        var live = 0
    }

    init(transfers: Int, transfersPerHost: Int) {
        self.transfers = transfers
        self.transfersPerHost = transfersPerHost
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
        item.isInLine = true
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

    /// An item leaves its host's line, if it is in it.
    mutating func forget(_ item: Item, of host: Host) {
        guard item.isInLine else { return }
        item.isInLine = false
        let key = ObjectIdentifier(host)
        guard var line = lines.removeValue(forKey: key) else { return }
        line.live -= 1
        guard line.live > 0 else {
            turns.removeAll { $0 === host }
            return
        }
        // Those that left hold memory until their turn; not more than the others do.
        if line.items.count > 64, line.live < line.items.count / 2 { line.items.removeAll { !$0.isInLine } }
        lines[key] = line
    }

    /// Takes the first item of a line that still wants a slot; an empty line is dropped.
    private mutating func popWaiting(_ key: ObjectIdentifier) -> Item? {
        guard var line = lines.removeValue(forKey: key) else { return nil }
        var found: Item?
        while found == nil, let item = line.items.popFirst() {
            guard item.isInLine else { continue }
            item.isInLine = false
            line.live -= 1
            if !item.hasGivenUp { found = item }
        }
        if line.live > 0 { lines[key] = line }
        return found
    }

    private mutating func take(_ host: Host) {
        active += 1
        host.active += 1
    }
}
