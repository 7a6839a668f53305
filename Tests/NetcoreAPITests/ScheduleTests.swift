@testable import Netcore
@testable import NetcoreAPI
import NetcoreHTTP
import Testing

/// The rules of groups, without a client.
@Suite("Schedules")
struct ScheduleTests {
    /// One group drawn at random, run against the model: what starts and is skipped, in which order, each member at most once.
    private func run(seed: Int) throws {
        var numbers = SeededNumbers(seed: seed)
        let rule = try #require(RequestGroup.Rule.allCases.randomElement(using: &numbers))
        let limit = [1, 2, 3, Int.max].randomElement(using: &numbers) ?? 1
        let count = Int.random(in: 0...12, using: &numbers)
        // Edges go from earlier to later places of a random order, so that there is no cycle.
        let places = Array(0..<count).shuffled(using: &numbers)
        var after = Array(repeating: [Int](), count: count)
        var schedule = Schedule(rule, limit: limit)
        for _ in 0..<count { schedule.add() }
        if rule != .chain {
            for later in 0..<count {
                for earlier in 0..<later where Int.random(in: 0..<6, using: &numbers) == 0 {
                    after[places[later]].append(places[earlier])
                    try schedule.add(places[later], after: places[earlier])
                }
            }
        }
        var model = ScheduleModel(rule, limit: limit, after: after)
        var open = Set<Int>()  // started or skipped, and not ended
        var begun = Set<Int>()
        func take(_ actions: GroupActions, _ expected: [Int], cancels: Bool) {
            #expect(Set(actions.starts) == Set(expected), "seed \(seed)")
            #expect(actions.starts.count == expected.count, "seed \(seed)")
            if rule == .chain || count == 0 { #expect(actions.starts == expected, "seed \(seed)") }
            #expect(actions.cancelsRest == cancels, "seed \(seed)")
            for member in actions.starts + actions.skips { #expect(begun.insert(member).inserted, "seed \(seed)") }
            for member in actions.skips { #expect(model.states[member] == .skipped, "seed \(seed)") }
            open.formUnion(actions.starts + actions.skips)
        }
        take(schedule.begin(), model.begin(), cancels: false)
        while let member = open.sorted().randomElement(using: &numbers) {
            open.remove(member)
            if rule == .chain, schedule.isOpenWhileRunning, Int.random(in: 0..<8, using: &numbers) == 0 {
                schedule.add()
                model.add()
            }
            let end: MemberEnd =
                model.states[member] == .skipped || Int.random(in: 0..<5, using: &numbers) == 0 ? .failed : .succeeded
            let hadCanceled = model.cancelsRest
            let starts = model.end(member, end)
            take(schedule.end(member, end), starts, cancels: model.cancelsRest && !hadCanceled)
            if model.cancelsRest || Int.random(in: 0..<40, using: &numbers) == 0 {
                // What is canceled ends as failed, in any order.
                schedule.stop()
                model.isStopped = true
                for rest in model.states.indices.shuffled(using: &numbers)
                where model.states[rest] == .waiting || model.states[rest] == .running {
                    take(schedule.end(rest, .failed), model.end(rest, .failed), cancels: false)
                    open.remove(rest)
                }
            }
        }
        #expect(!model.states.contains(.waiting) && !model.states.contains(.running), "seed \(seed)")
    }

    @Test("10,000 groups, chains and graphs drawn at random do what the model says, each member once")
    func random() throws {
        for seed in 0..<10_000 { try run(seed: seed) }
    }

    @Test("a cycle is refused, whether short or long, and changes nothing")
    func cycles() throws {
        var schedule = Schedule(.allSettled)
        for _ in 0..<4 { schedule.add() }
        try schedule.add(1, after: 0)
        try schedule.add(2, after: 1)
        try schedule.add(3, after: 2)
        for (member, other) in [(0, 0), (0, 1), (0, 3), (1, 3)] {
            #expect(throws: NetcoreError.self) { try schedule.add(member, after: other) }
        }
        #expect(schedule.begin().starts == [0])
        #expect(schedule.end(0, .succeeded).starts == [1])
    }

    @Test("a member that was canceled before the dispatch skips those that wait for it")
    func early() throws {
        var schedule = Schedule(.allSettled)
        for _ in 0..<3 { schedule.add() }
        try schedule.add(1, after: 0)
        #expect(schedule.end(0, .failed) == GroupActions())
        let actions = schedule.begin()
        #expect(actions.starts == [2] && actions.skips == [1])
    }

    @Test("members start in the order of adding, as many as the limit allows")
    func limit() {
        var schedule = Schedule(.allSettled, limit: 2)
        for _ in 0..<5 { schedule.add() }
        #expect(schedule.begin().starts == [0, 1])
        #expect(schedule.end(1, .failed).starts == [2])
        #expect(schedule.end(0, .succeeded).starts == [3])
    }
}
