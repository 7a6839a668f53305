@testable import Netcore
@testable import NetcoreAPI

/// What a schedule should do, said as plainly as possible: everything is worked out anew after each event.
struct ScheduleModel {
    enum State: Equatable { case waiting, running, succeeded, failed, skipped }

    let rule: RequestGroup.Rule
    let limit: Int
    /// For each member those that it waits for.
    var after: [[Int]]
    var states: [State]
    /// In which order members became free to start.
    var line: [Int] = []
    var isStopped = false
    var cancelsRest = false

    init(_ rule: RequestGroup.Rule, limit: Int, after: [[Int]]) {
        self.rule = rule
        self.limit = rule == .chain ? 1 : limit
        self.after = after
        states = Array(repeating: .waiting, count: after.count)
    }

    mutating func begin() -> [Int] {
        for member in states.indices where after[member].isEmpty { line.append(member) }
        return start()
    }

    mutating func add() {
        after.append([])
        states.append(.waiting)
        line.append(states.count - 1)
    }

    /// A member ended. Returns which start then.
    mutating func end(_ member: Int, _ end: MemberEnd) -> [Int] {
        let wasSkipped = states[member] == .skipped
        if !wasSkipped { states[member] = end == .succeeded ? .succeeded : .failed }
        guard !isStopped, !wasSkipped else { return [] }
        switch (rule, end) {
        case (.any, .succeeded), (.allOrNothing, .failed):
            isStopped = true
            cancelsRest = true
        case (.chain, .failed):
            isStopped = true
            for other in states.indices where states[other] == .waiting { states[other] = .skipped }
        default: settle(member)
        }
        return start()
    }

    /// Members that wait for one that did not succeed are skipped; those whose last condition is met go to the end of the line.
    private mutating func settle(_ member: Int) {
        var changes = true
        while changes {
            changes = false
            for other in states.indices where states[other] == .waiting {
                guard after[other].contains(where: { states[$0] == .failed || states[$0] == .skipped }) else {
                    continue
                }
                states[other] = .skipped
                changes = true
            }
        }
        for other in states.indices
        where states[other] == .waiting && after[other].contains(member) && !line.contains(other)
            && after[other].allSatisfy({ states[$0] == .succeeded })
        {
            line.append(other)
        }
    }

    private mutating func start() -> [Int] {
        var starts: [Int] = []
        while !isStopped, states.filter({ $0 == .running }).count < limit,
            let next = line.first(where: { states[$0] == .waiting })
        {
            states[next] = .running
            starts.append(next)
        }
        return starts
    }
}

/// Numbers drawn by a seed, the same in each run.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    /// SplitMix64 (Steele, Lea, Flood 2014).
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
