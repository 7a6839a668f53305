package import Netcore
internal import NetcoreHTTP

/// Which members of a group start, which are skipped, and when the rest is not wanted any more. A value: what happened goes in, what
/// is to be done comes out, each member at most once.
///
/// Takes time in proportion to members and dependencies. A member takes 5 bytes, and 8 more once there are dependencies, of which
/// each takes 8.
package struct Schedule: GroupOrder {
    private enum State: UInt8 {
        /// For the dispatch, or for other members.
        case waiting
        /// For its turn.
        case ready
        case running
        /// It is to end as skipped.
        case skipped
        case ended
    }

    private struct Edge {
        let dependant: Int32
        /// The next edge of the same member; -1 for none.
        let next: Int32
    }

    package let rule: RequestGroup.Rule
    private let limit: Int
    private var states: ContiguousArray<State> = []
    /// In the order in which they start.
    private var ready: ContiguousArray<Int32> = []
    private var firstReady = 0
    private var running = 0
    private var hasBegun = false
    private var isStopped = false
    /// Members that failed before the group was dispatched.
    private var early: [Int] = []
    private var edges: ContiguousArray<Edge> = []
    /// For each member its first edge, and how many others it waits for. Empty without edges.
    private var firstEdges: ContiguousArray<Int32> = []
    private var missing: ContiguousArray<Int32> = []
    /// Whether a member waits for one that was added later: without that there is no cycle.
    private var hasBackwardEdge = false

    /// - Parameter limit: how many members run at once, at most.
    package init(_ rule: RequestGroup.Rule, limit: Int = .max) {
        self.rule = rule
        self.limit = rule == .chain ? 1 : limit
    }

    package var isOpenWhileRunning: Bool { rule == .chain && !isStopped }
    package var waitsForCallbacks: Bool { rule == .chain || !edges.isEmpty }

    // MARK: Members

    package mutating func add() {
        states.append(.waiting)
        if !edges.isEmpty {
            firstEdges.append(-1)
            missing.append(0)
        }
        if hasBegun { makeReady(states.count - 1) }
    }

    package mutating func add(_ member: Int, after other: Int) throws(NetcoreError) {
        guard rule != .chain else {
            throw NetcoreError(.invalidState, argument: "group", "the members of a chain run in the order of adding")
        }
        guard member != other, !isBefore(member, other) else {
            throw NetcoreError(
                .invalidArgument, argument: "after",
                "a cycle: member \(other) waits for member \(member), which would wait for it")
        }
        if edges.isEmpty {
            firstEdges = ContiguousArray(repeating: -1, count: states.count)
            missing = ContiguousArray(repeating: 0, count: states.count)
        }
        if other > member { hasBackwardEdge = true }
        edges.append(Edge(dependant: Int32(member), next: firstEdges[other]))
        firstEdges[other] = Int32(edges.count - 1)
        missing[member] += 1
    }

    /// Whether the second member waits for the first, also by way of others.
    private func isBefore(_ first: Int, _ second: Int) -> Bool {
        guard !edges.isEmpty, hasBackwardEdge || second > first else { return false }
        var seen: Set<Int> = [first]
        var open = [first]
        while let member = open.popLast() {
            guard member != second else { return true }
            forEachDependant(of: member) { if seen.insert($0).inserted { open.append($0) } }
        }
        return false
    }

    private func forEachDependant(of member: Int, _ body: (Int) -> Void) {
        guard !edges.isEmpty else { return }
        var edge = firstEdges[member]
        while edge >= 0 {
            body(Int(edges[Int(edge)].dependant))
            edge = edges[Int(edge)].next
        }
    }

    // MARK: What happens

    package mutating func begin() -> GroupActions {
        var actions = GroupActions()
        hasBegun = true
        for member in states.indices where missing.isEmpty || missing[member] == 0 { makeReady(member) }
        for member in early where !isStopped { fail(member, &actions) }
        fill(&actions)
        return actions
    }

    package mutating func end(_ member: Int, _ end: MemberEnd) -> GroupActions {
        var actions = GroupActions()
        guard states[member] != .ended else { return actions }
        if states[member] == .running { running -= 1 }
        let wasSkipped = states[member] == .skipped
        states[member] = .ended
        guard hasBegun else {
            early.append(member)
            return actions
        }
        guard !isStopped, !wasSkipped else { return actions }
        switch end {
        case .succeeded: succeed(member, &actions)
        case .failed: fail(member, &actions)
        }
        fill(&actions)
        return actions
    }

    package mutating func stop() { isStopped = true }

    private mutating func succeed(_ member: Int, _ actions: inout GroupActions) {
        guard rule != .any else {
            isStopped = true
            actions.cancelsRest = true
            return
        }
        var dependants: [Int] = []
        forEachDependant(of: member) { dependants.append($0) }
        // Those that become ready together start in the order of adding.
        for dependant in dependants.sorted() {
            missing[dependant] -= 1
            if missing[dependant] == 0 { makeReady(dependant) }
        }
    }

    private mutating func fail(_ member: Int, _ actions: inout GroupActions) {
        switch rule {
        case .allOrNothing:
            isStopped = true
            actions.cancelsRest = true
        case .chain:
            isStopped = true
            for other in states.indices { skip(other, &actions) }
        case .allSettled, .any:
            var open = [member]
            while let failed = open.popLast() {
                var dependants: [Int] = []
                forEachDependant(of: failed) { dependants.append($0) }
                for dependant in dependants where skip(dependant, &actions) { open.append(dependant) }
            }
        }
    }

    /// Whether it was not skipped before, and has not started or ended.
    @discardableResult
    private mutating func skip(_ member: Int, _ actions: inout GroupActions) -> Bool {
        guard states[member] == .waiting || states[member] == .ready else { return false }
        states[member] = .skipped
        actions.skips.append(member)
        return true
    }

    private mutating func makeReady(_ member: Int) {
        guard states[member] == .waiting else { return }
        states[member] = .ready
        ready.append(Int32(member))
    }

    /// Starts as many as the limit allows.
    private mutating func fill(_ actions: inout GroupActions) {
        while !isStopped, running < limit, firstReady < ready.count {
            let member = Int(ready[firstReady])
            firstReady += 1
            guard states[member] == .ready else { continue }
            states[member] = .running
            running += 1
            actions.starts.append(member)
        }
    }
}
