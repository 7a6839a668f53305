internal import NetcoreSupport
internal import NetcoreTransport

/// What waits for a slot.
protocol AdmissionItem: AnyObject {
    /// Kept by ``Admission``: in a line, and counted there.
    var isInLine: Bool { get set }
    /// No longer wants a slot; its turn is passed over.
    var hasGivenUp: Bool { get }
    /// Those of a higher one go first.
    var priority: Priority { get }
}

/// Which of the requests that wait for a slot goes first: those of a higher priority, whatever the host; among those of one, hosts
/// take turns. By HTTP/2 a higher one also asks for a larger share of the connection.
public enum Priority: Int32, Sendable, CaseIterable {
    case low = -1
    case `default` = 0
    case high = 1

    fileprivate static let fromHighest: [Priority] = [.high, .default, .low]
    fileprivate var index: Int { Int(1 - rawValue) }
}

/// Who may transfer now: a pure state machine over hosts and their waiting lines.
struct Admission<Item: AdmissionItem> {
    var transfers: Int
    var transfersPerHost: Int
    private var active = 0
    private var lines: [ObjectIdentifier: Line] = [:]
    /// Hosts that have a line, in turn.
    private var turns = FIFO<Host>()
    /// Items in line, by priority.
    private var waiting = [0, 0, 0]

    private struct Line {
        /// By priority, from the highest on.
        var items = [FIFO<Item>(), FIFO<Item>(), FIFO<Item>()]
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
        let priority = item.priority.index
        waiting[priority] += 1
        lines[key, default: Line()].live += 1
        if isFirst {
            lines[key]?.items[priority].prepend(item)
        } else {
            lines[key]?.items[priority].append(item)
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
        for priority in Priority.fromHighest where waiting[priority.index] > 0 {
            for _ in 0..<turns.count {
                guard let host = turns.popFirst() else { return nil }
                let key = ObjectIdentifier(host)
                let item = host.active < transfersPerHost ? popWaiting(key, priority.index) : nil
                if lines[key] != nil { turns.append(host) }
                guard let item else { continue }
                take(host)
                return item
            }
        }
        return nil
    }

    /// An item leaves its host's line, if it is in it.
    mutating func forget(_ item: Item, of host: Host) {
        guard item.isInLine else { return }
        item.isInLine = false
        let priority = item.priority.index
        waiting[priority] -= 1
        let key = ObjectIdentifier(host)
        guard var line = lines.removeValue(forKey: key) else { return }
        line.live -= 1
        guard line.live > 0 else {
            turns.removeAll { $0 === host }
            return
        }
        // Those that left hold memory until their turn; not more than the others do.
        let count = line.items[priority].count
        if count > 64, line.live < count / 2 { line.items[priority].removeAll { !$0.isInLine } }
        lines[key] = line
    }

    /// Takes the first item of a line that still wants a slot; an empty line is dropped.
    private mutating func popWaiting(_ key: ObjectIdentifier, _ priority: Int) -> Item? {
        guard var line = lines.removeValue(forKey: key) else { return nil }
        var found: Item?
        while found == nil, let item = line.items[priority].popFirst() {
            guard item.isInLine else { continue }
            item.isInLine = false
            waiting[priority] -= 1
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
