@testable import Netcore
import NetcoreHTTP
import NetcoreSupport
import Synchronization
import Testing
import TestSupport

/// What tasks belong to, by the Swift API.
@Suite struct TaskScopeTests {
    /// A client whose requests are answered at once if their URL ends in "now", and else never.
    private func client() throws -> Client {
        var options = Client.Options()
        options.transport = { request, hop in if request.urlString.hasSuffix("now") { try? hop.answer(200) } }
        return try Client(options)
    }

    private func request(_ path: String, _ scope: TaskScope?) throws -> Request {
        var request = try Request("GET", "http://app.invalid/" + path)
        request.taskScope = scope
        return request
    }

    @Test("what an object asked for ends with it")
    func life() async throws {
        let client = try client()
        var scope: TaskScope? = TaskScope()
        let request = try request("later", scope)
        #expect(request.taskScope === scope)
        let (ends, end) = AsyncStream.makeStream(of: NetcoreError?.self)
        for _ in 0..<3 {
            try client.dispatch(request) { result in
                if case .failure(let error) = result { end.yield(error) } else { end.yield(nil) }
            }
        }
        #expect(scope?.count == 3)
        scope = nil
        var causes: [NetcoreError.CancelCause?] = []
        for await error in ends.prefix(3) { causes.append(error?.cancelCause) }
        #expect(causes == [.scope, .scope, .scope] && request.taskScope == nil)
        await #expect(throws: NetcoreError.self) { try await client.perform(request) }
    }

    @Test("a task leaves its scope when it ends, and cancel leaves the scope open")
    func cancel() async throws {
        let client = try client()
        let scope = TaskScope()
        _ = try await client.perform(request("now", scope))
        #expect(scope.count == 0)
        let later = try request("later", scope)
        let held = Task { try await client.perform(later) }
        while scope.count == 0 { await Task.yield() }
        #expect(scope.cancel() == 1)
        await #expect(throws: NetcoreError.self) { try await held.value }
        #expect(try await client.perform(request("now", scope)).status == 200)
    }

    @Test("a scope that drops callbacks lets none begin after it was closed, and lets go of what they hold")
    func drop() async throws {
        final class Held: Sendable {}
        let client = try client()
        let scope = TaskScope(dropsCallbacks: true)
        let calls = Atomic<Int>(0)
        weak var weakly: Held?
        do {
            let held = Held()
            weakly = held
            try client.dispatch(try request("later", scope)) { [held] _ in
                withExtendedLifetime(held) {}
                calls.add(1, ordering: .relaxed)
            }
        }
        scope.close()
        client.destroy()
        #expect(calls.load(ordering: .relaxed) == 0 && weakly == nil)
    }
}
