@testable import Netcore
@testable import NetcoreAPI
import NetcoreHTTP
import Synchronization
import Testing

/// Groups drawn at random, run by a client: what its threads do has the order that the rules promise.
@Suite("Random groups")
struct RandomGroupTests {
    /// What callbacks saw.
    private final class Record: Sendable {
        struct Seen {
            var started: [Int] = []
            var ended: [Int] = []
            var notified = 0
        }

        let seen = Mutex(Seen())
    }

    @Test(
        "each member of a random group ends once, after those that it waits for, and before the notification",
        arguments: 0..<8)
    func random(part: Int) async throws {
        let client = try Client()
        for seed in (part * 25)..<((part + 1) * 25) { try await run(client, seed) }
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
            let task = try group.add(
                .application(
                    resume: { task in
                        record.seen.withLock { $0.started.append(member) }
                        Task { try? task.complete(fails ? .storage : nil) }
                    }, cancel: { task in Task { try? task.complete() } }),
                sink: .callback { _, _ in record.seen.withLock { $0.ended.append(member) } })
            var waitsFor: [Int] = []
            for earlier in 0..<member where rule != .chain && Int.random(in: 0..<4, using: &numbers) == 0 {
                waitsFor.append(earlier)
                try group.require(tasks[earlier], before: task)
            }
            after.append(waitsFor)
            tasks.append(task)
        }
        if Int.random(in: 0..<4, using: &numbers) == 0 { Task { group.cancel() } }
        await withUnsafeContinuation { continuation in
            do throws(NetcoreError) {
                try group.dispatch { _ in
                    record.seen.withLock { $0.notified += 1 }
                    continuation.resume()
                }
            } catch {
                continuation.resume()  // Canceled before it was dispatched.
            }
        }
        let seen = record.seen.withLock { $0 }
        guard seen.notified == 1 else { return }
        #expect(seen.ended.sorted() == Array(0..<count), "seed \(seed)")
        #expect(Set(seen.started).count == seen.started.count, "seed \(seed)")
        if rule == .chain { #expect(seen.started == Array(seen.started.indices), "seed \(seed)") }
        let results = group.results
        for member in seen.started {
            for other in after[member] { #expect(results[other]?.failure == nil, "seed \(seed)") }
        }
        let counts = group.progress
        #expect(counts.ended == count && counts.total == count, "seed \(seed)")
        if group.outcome == .ok, rule != .any { #expect(counts.succeeded == count, "seed \(seed)") }
    }
}
