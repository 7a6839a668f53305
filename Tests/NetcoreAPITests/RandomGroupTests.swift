@testable import Netcore
@testable import NetcoreAPI
import NetcoreHTTP
import NetcoreSupport
import TestSupport
import Testing

/// Groups, chains and graphs drawn at random, run by a client: its threads do what the model says.
@Suite("Random groups")
struct RandomGroupTests {
    /// How many: 10,000 under the thread sanitizer in scripts/check.
    private static let count = Peers.number("NETCORE_TEST_GROUPS") ?? 200
    private static let parts = 8

    /// What callbacks saw.
    private final class Record: @unchecked Sendable {  // under `lock`, which the thread sanitizer sees
        private let lock = Lock()
        private var started: [Int] = []
        private var running: Set<Int> = []
        private var mostRunning = 0
        private var ended: [Int] = []
        /// How many had ended when the notification came.
        private var notified: [Int] = []

        var seen: (started: [Int], mostRunning: Int, ended: [Int], notified: [Int]) {
            lock.withLock { (started, mostRunning, ended, notified) }
        }

        func start(_ member: Int) {
            lock.withLock {
                started.append(member)
                running.insert(member)
                mostRunning = max(mostRunning, running.count)
            }
        }

        func stop(_ member: Int) { lock.withLock { _ = running.remove(member) } }

        func end(_ member: Int) { lock.withLock { ended.append(member) } }

        func notify() { lock.withLock { notified.append(ended.count) } }
    }

    @Test(
        "members of a random group start as the model says, each ends once, and all before the notification",
        arguments: 0..<parts)
    func random(part: Int) async throws {
        let client = try Client()
        for seed in stride(from: part, to: Self.count, by: Self.parts) { try await run(client, seed) }
    }

    private func run(_ client: Client, _ seed: Int) async throws {
        var numbers = SeededNumbers(seed: seed)
        let rule = RequestGroup.Rule.allCases.randomElement(using: &numbers) ?? .any
        let limit = [nil, 1, 2].randomElement(using: &numbers) ?? nil
        let group = try client.makeGroup(.init(rule, limit: limit))
        let record = Record()
        let count = Int.random(in: 0...10, using: &numbers)
        var tasks: [RequestTask] = []
        var after: [[Int]] = []
        for member in 0..<count {
            let fails = Int.random(in: 0..<6, using: &numbers) == 0
            let end = { @Sendable (task: RequestTask, code: NetcoreError.Code?) in
                Task {
                    record.stop(member)
                    try? task.complete(code)
                }
            }
            let task = try group.add(
                .application(
                    resume: { task in
                        record.start(member)
                        _ = end(task, fails ? .storage : nil)
                    }, cancel: { task in _ = end(task, nil) }),
                sink: .callback { _, _ in record.end(member) })
            var waitsFor: [Int] = []
            for earlier in 0..<member where rule != .chain && Int.random(in: 0..<4, using: &numbers) == 0 {
                waitsFor.append(earlier)
                try group.require(tasks[earlier], before: task)
            }
            after.append(waitsFor)
            tasks.append(task)
        }
        let isCanceled = Int.random(in: 0..<4, using: &numbers) == 0
        if isCanceled { Task { group.cancel() } }
        let isDispatched = await withUnsafeContinuation { continuation in
            do throws(NetcoreError) {
                try group.dispatch { _ in
                    record.notify()
                    continuation.resume(returning: true)
                }
            } catch {
                continuation.resume(returning: false)  // Canceled before it was dispatched.
            }
        }
        guard isDispatched else {
            #expect(isCanceled && record.seen.started.isEmpty, "seed \(seed)")
            return
        }
        let seen = record.seen
        #expect(seen.notified == [count], "seed \(seed)")
        #expect(seen.ended.sorted() == Array(0..<count), "seed \(seed)")
        #expect(seen.mostRunning <= limit ?? .max, "seed \(seed)")
        let results = group.results
        var model = ScheduleModel(rule, limit: limit ?? .max, after: after)
        var expected = model.begin()
        for member in seen.ended {
            expected += model.end(member, results[member]?.failure == nil ? .succeeded : .failed)
        }
        #expect(Set(seen.started).count == seen.started.count, "seed \(seed)")
        // What is canceled after its turn has come may not have started.
        if isCanceled || model.cancelsRest {
            #expect(Set(seen.started).isSubset(of: expected), "seed \(seed)")
        } else {
            #expect(seen.started.sorted() == expected.sorted(), "seed \(seed)")
        }
        if rule == .chain { #expect(seen.started == Array(seen.started.indices), "seed \(seed)") }
        for member in seen.started {
            for other in after[member] { #expect(results[other]?.failure == nil, "seed \(seed)") }
        }
        let counts = group.progress
        #expect(counts.ended == count && counts.total == count, "seed \(seed)")
        if group.outcome == .ok, rule != .any { #expect(counts.succeeded == count, "seed \(seed)") }
    }
}
