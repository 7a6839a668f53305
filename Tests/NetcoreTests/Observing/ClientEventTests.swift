@testable import Netcore
import NetcoreHTTP
import NetcoreSupport
import Testing

@Suite struct ClientEventTests {
    private func client() throws -> Client {
        var options = Client.Options()
        options.transport = { _, hop in try? hop.answer(200) }
        return try Client(options)
    }

    @Test("an asynchronous sequence has the events of a task in their order, and ends with the client")
    func sequence() async throws {
        let client = try client()
        let events = try client.events()
        _ = try await client.perform(Request("GET", "http://app.test/"))
        client.destroy()
        var kinds: [ClientEvent.Kind] = []
        for await event in events { kinds.append(event.kind) }
        #expect(kinds == [.queued, .dispatched, .hopBegan, .hopEnded, .done])
    }

    @Test("a function is called no more once its observer was canceled")
    func canceled() throws {
        let client = try client()
        let observer = try client.observe { _ in Issue.record("was called") }
        observer.cancel()
        _ = try client.performBlocking(Request("GET", "http://app.test/"))
        client.destroy()
    }

    @Test("a wait for the network is reported with its reason, also where the task ends during it")
    func waits() async throws {
        let client = try client()
        try client.setReachability(.unreachable)
        let events = try client.events()
        var request = try Request("GET", "http://app.test/")
        request.networkWait = .seconds(60)
        let task = try client.dispatch(request) { _ in }
        var seen: [ClientEvent] = []
        for await event in events {
            seen.append(event)
            if event.kind == .waitBegan { task.cancel() }
            if event.kind == .done { break }
        }
        #expect(seen.map(\.kind) == [.queued, .waitBegan, .waitEnded, .done])
        #expect(seen[1].value == ClientEvent.Wait.network.rawValue && seen[2].detail > 0)
        client.destroy()
    }

    @Test("an address is read and written", arguments: ["192.0.2.1", "2001:db8::1", "::1"])
    func addresses(text: String) {
        #expect(PeerAddress(text, port: 80)?.address == text)
    }

    @Test("the zone of an address is left out, and what is none is refused")
    func oddAddresses() {
        #expect(PeerAddress("fe80::1%eth0", port: 0)?.address == "fe80::1")
        #expect(PeerAddress("/run/socket", port: 0) == nil)
    }

    @Test("tasks that join are reported to wait for the first, whose the transfer is")
    func joined() async throws {
        var options = Client.Options()
        options.transport = { _, hop in held.append(hop) }
        let client = try Client(options)
        let events = try client.events()
        var request = try Request("GET", "http://app.test/")
        request.duplicates = .join
        let tasks = try (0..<3).map { _ in try client.dispatch(request) { _ in } }
        while held.isEmpty { await Task.yield() }
        while client.statistics.queuedTasks > 0 { await Task.yield() }
        try held.answer()
        for task in tasks { while task.state != .finished { await Task.yield() } }
        client.destroy()
        var joined: [UInt64: Int] = [:]
        var hops: Set<UInt64> = []
        for await event in events {
            if event.kind == .joined { joined[event.number] = event.value }
            if event.kind == .hopBegan { hops.insert(event.number) }
        }
        #expect(joined == [2: 1, 3: 1])
        #expect(hops == [1])
    }
}

/// Hops that wait for their answer.
private let held = HeldHops()

private final class HeldHops: @unchecked Sendable {  // under `lock`
    private let lock = Lock()
    private var hops: [TransportHop] = []

    var isEmpty: Bool { lock.withLock { hops.isEmpty } }

    func append(_ hop: TransportHop) { lock.withLock { hops.append(hop) } }

    func answer() throws { for hop in lock.withLock({ hops }) { try hop.answer(200) } }
}
