@testable import Netcore
import NetcoreAPI
import NetcoreHTTP
import Synchronization
import TestSupport
import Testing

/// Groups, chains and graphs: the table of cases that all doors share.
@Suite("Cases of groups")
struct GroupCaseTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let columns: [String]
        var testDescription: String { columns[0] }

        static let all = Peers.lines(of: "Tests/Cases/groups.tsv").filter { !$0.hasPrefix("#") }
            .map { Case(columns: $0.parts(of: "\t")) }

        func given(_ index: Int) -> String? { columns[index] == "-" ? nil : columns[index] }
    }

    /// One case: requests are held by a transport until a step ends them.
    private final class Play: Sendable {
        private struct State {
            var groups: [String: RequestGroup] = [:]
            var tasks: [String: RequestTask] = [:]
            var hops: [String: TransportHop] = [:]
        }

        private static let rules: [String: RequestGroup.Rule] = [
            "all_settled": .allSettled, "all_or_nothing": .allOrNothing, "any": .any, "chain": .chain,
        ]
        private static let outer = "N"

        private let state = Mutex(State())
        private let note: AsyncStream<String>.Continuation
        let events: AsyncStream<String>
        let client: Client

        init() throws {
            (events, note) = AsyncStream.makeStream()
            client = try Client()
            try client.setTransport { [weak self] request, hop in
                let letter = String(request.urlString.suffix(1))
                self?.state.withLock { $0.hops[letter] = hop }
                self?.note.yield("+\(letter)")
            }
        }

        private func end(_ letter: String, _ code: NetcoreError.Code?, _ decider: String = "") {
            let marks: [NetcoreError.Code?: String] = [
                nil: "=", .ok: "=", .canceled: "/", .skipped: "~", .connect: "!",
            ]
            note.yield(letter + (marks[code] ?? "?") + decider)
        }

        private func notification(_ letter: String) -> @Sendable (RequestGroup) -> Void {
            { [self] group in
                let decider = group.decidingTaskID
                let name = state.withLock { $0.tasks.first { $0.value.id == decider }?.key }
                end(letter, group.outcome, decider == 0 ? "" : name ?? "?")
            }
        }

        private func makeGroup(_ letter: String, _ options: String) throws -> RequestGroup {
            let parts = options.parts(of: ",limit=")
            let rule = try #require(Self.rules[parts[0]])
            let group = try client.makeGroup(.init(rule, limit: parts.count > 1 ? Int(parts[1]) : nil))
            state.withLock { $0.groups[letter] = group }
            return group
        }

        /// Adds "c<a,b".
        private func add(_ member: String, to group: RequestGroup) throws {
            let parts = member.parts(of: "<")
            let letter = parts[0]
            let (inner, others) = state.withLock { state in
                (state.groups[letter], parts.dropFirst().flatMap { $0.parts(of: ",") }.compactMap { state.tasks[$0] })
            }
            let task =
                if let inner {
                    try group.add(inner, notify: notification(letter))
                } else {
                    try group.add(Request("GET", "http://held.test/\(letter)")) { [self] result in
                        switch result {
                        case .success: end(letter, nil)
                        case .failure(let error): end(letter, error.code)
                        }
                    }
                }
            state.withLock { $0.tasks[letter] = task }
            for other in others { try group.require(other, before: task) }
        }

        func build(_ options: String, _ members: String?, _ within: String?) throws {
            for text in within?.parts(of: "; ") ?? [] {
                let words = text.parts(of: " ")
                let group = try makeGroup(words[0], words[1])
                for member in words.dropFirst(2) { try add(member, to: group) }
            }
            let group = try makeGroup(Self.outer, options)
            for member in members?.parts(of: " ") ?? [] { try add(member, to: group) }
        }

        func act(_ action: String, _ letter: String?) throws {
            let (group, task, hop) = state.withLock { state in
                let name = letter ?? Self.outer
                return (state.groups[name], state.tasks[name], state.hops[name])
            }
            switch action {
            case "add": try add(#require(letter), to: #require(state.withLock { $0.groups[Self.outer] }))
            case "ok": try #require(hop).answer()
            case "fail": try #require(hop).fail(.connect)
            case "cancel": if let task { task.cancel() } else { try #require(group).cancel() }
            default: try #require(group).dispatch(notify: notification(Self.outer))
            }
        }

        /// Ends the events, and lets go of the tasks, whose callbacks hold this object.
        func finish() {
            note.finish()
            let held = state.withLock { state in
                defer { state = State() }
                return state
            }
            _ = held
        }
    }

    /// "dispatch (NETCORE_ERR_INVALID_STATE): +a > N="
    private func take(_ step: String, _ play: Play, _ events: inout AsyncStream<String>.Iterator) async throws {
        let parts = step.parts(of: ":")
        let call = parts[0].parts(of: " (")
        let words = call[0].parts(of: " ")
        let letter = words.count > 1 ? words[1] : nil
        if call.count > 1 {
            let error = #expect(throws: NetcoreError.self) { try play.act(words[0], letter) }
            #expect(error.map { "\($0.code.name))" } == call[1])
        } else {
            try play.act(words[0], letter)
        }
        for phase in parts[1].parts(of: ">") {
            let wanted = phase.split(separator: " ").map(String.init)
            var seen: [String] = []
            for _ in wanted { try seen.append(#require(await events.next())) }
            #expect(seen.sorted() == wanted.sorted(), "\(step)")
        }
    }

    @Test("the table of cases of groups holds through Swift", .timeLimit(.minutes(1)), arguments: Case.all)
    func table(entry: Case) async throws {
        let play = try Play()
        var events = play.events.makeAsyncIterator()
        try play.build(entry.columns[1], entry.given(2), entry.given(3))
        for step in entry.columns[4].parts(of: " | ") { try await take(step, play, &events) }
        play.client.destroy()
        play.finish()
        #expect(await events.next() == nil)
    }
}
