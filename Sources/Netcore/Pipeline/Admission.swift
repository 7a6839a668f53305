internal import NetcoreSupport
internal import NetcoreTransport

/// Who may transfer now: a pure state machine over hosts and their waiting lines. Times are in microseconds.
struct Admission<Item: LineItem> {
    var transfers: Int
    var transfersPerHost: Int
    private var active = 0
    private var lines: [ObjectIdentifier: HostLine] = [:]
    /// Hosts that have a line, in turn.
    private var turns = FIFO<HostLine>()
    /// Those that wait, by the level of their priority.
    private var waiting = [0, 0, 0]
    /// No item that waits is due before.
    private var dueFrom = Int.max

    private final class HostLine {
        let host: Host
        var items = PriorityLine<Item>()

        init(_ host: Host) { self.host = host }
    }

    init(transfers: Int, transfersPerHost: Int) {
        self.transfers = transfers
        self.transfersPerHost = transfersPerHost
    }

    /// Takes a slot for an item, or puts it in the host's line. Returns whether it has a slot.
    ///
    /// - Parameters:
    ///   - time: when it began to wait.
    ///   - isFirst: it had a slot before, and goes before those that came with it.
    mutating func admit(_ item: Item, to host: Host, since time: Int, isFirst: Bool) -> Bool {
        let line = lines.isEmpty ? nil : lines[ObjectIdentifier(host)]
        if active < transfers, host.active < transfersPerHost, line == nil || isFirst {
            take(host)
            return true
        }
        add(item, to: line ?? newLine(host), since: time, isFirst: isFirst)
        return false
    }

    private mutating func add(_ item: Item, to line: HostLine, since time: Int, isFirst: Bool) {
        line.items.add(item, since: time, isFirst: isFirst)
        waiting[item.priority.level] += 1
        dueFrom = min(dueFrom, line.items.nextDue() ?? .max)
    }

    private mutating func newLine(_ host: Host) -> HostLine {
        let line = HostLine(host)
        lines[ObjectIdentifier(host)] = line
        turns.append(line)
        return line
    }

    /// Gives a slot back.
    mutating func release(_ host: Host) {
        active -= 1
        host.active -= 1
    }

    /// The next item that has a slot now; call until nil.
    mutating func next(now: Int) -> Item? {
        guard !lines.isEmpty, active < transfers else { return nil }
        // What is due counts as of the highest priority.
        for level in waiting.indices where waiting[level] > 0 || level == 0 && dueFrom <= now {
            if let item = next(level, now) { return item }
        }
        return nil
    }

    private mutating func next(_ level: Int, _ now: Int) -> Item? {
        var firstDue = Int.max
        for _ in 0..<turns.count {
            guard let line = turns.popFirst() else { return nil }
            let item = pop(line, level, now)
            if line.items.count > 0 {
                turns.append(line)
                firstDue = min(firstDue, line.items.nextDue() ?? .max)
            } else {
                lines[ObjectIdentifier(line.host)] = nil
            }
            guard let item else { continue }
            take(line.host)
            return item
        }
        dueFrom = firstDue
        return nil
    }

    /// Takes the first item of a line that still wants a slot, if the host has one, and the line has items of a level or due ones.
    private mutating func pop(_ line: HostLine, _ level: Int, _ now: Int) -> Item? {
        guard line.host.active < transfersPerHost else { return nil }
        while let due = line.items.nextDue(), due <= now || line.items.highestLevel() ?? .max <= level,
            let item = line.items.popFirst(now: now)
        {
            waiting[item.priority.level] -= 1
            if !item.hasGivenUp { return item }
        }
        return nil
    }

    /// An item leaves its host's line, if it is in it.
    mutating func forget(_ item: Item, of host: Host) {
        guard item.ticket.isInLine, let line = lines[ObjectIdentifier(host)] else { return }
        line.items.remove(item)
        waiting[item.priority.level] -= 1
        guard line.items.count == 0 else { return }
        lines[ObjectIdentifier(host)] = nil
        turns.removeAll { $0 === line }
    }

    /// Gives an item another priority. One that waits takes its place among those of the new one.
    mutating func change(_ item: Item, of host: Host?, since time: Int, _ setPriority: () -> Void) {
        guard item.ticket.isInLine, let line = host.flatMap({ lines[ObjectIdentifier($0)] }) else {
            return setPriority()
        }
        line.items.remove(item)
        waiting[item.priority.level] -= 1
        setPriority()
        add(item, to: line, since: time, isFirst: false)
    }

    private mutating func take(_ host: Host) {
        active += 1
        host.active += 1
    }
}
