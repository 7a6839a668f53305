import Netcore
import NetcoreHTTP
import Synchronization
import Testing

@Suite struct TaskCallbacksTests {
    /// What was called, in order.
    private final class Record: TaskDelegate {
        private let names = Mutex<[String]>([])

        var called: [String] { names.withLock { $0 } }
        func note(_ name: String) { names.withLock { $0.append(name) } }
        func taskDidSucceed(_ response: Response) { note("did succeed") }
        func taskDidFail(_ error: NetcoreError) { note("did fail") }
        func taskDidFinish(_ result: Result<Response, NetcoreError>) { note("did finish") }
    }

    private func client(_ error: NetcoreError.Code? = nil) throws -> Client {
        var options = Client.Options()
        options.transport = { _, hop in
            if let error { try? hop.fail(error) } else { try? hop.answer(200) }
        }
        return try Client(options)
    }

    private func callbacks(_ record: Record, delegate: Record? = nil) -> TaskCallbacks {
        TaskCallbacks(
            success: { _ in record.note("success") }, failure: { _ in record.note("failure") },
            finished: { _ in record.note("finished") }, delegate: delegate)
    }

    private func run(_ client: Client, _ callbacks: TaskCallbacks) async throws {
        let task = try client.dispatch(Request("GET", "http://app.test/"), callbacks: callbacks)
        while task.state != .finished { await Task.yield() }
        client.destroy()
    }

    @Test("success or failure is called, then finished, each before the delegate")
    func order() async throws {
        let good = Record(), bad = Record()
        try await run(client(), callbacks(good, delegate: good))
        try await run(client(.connect), callbacks(bad, delegate: bad))
        #expect(good.called == ["success", "did succeed", "finished", "did finish"])
        #expect(bad.called == ["failure", "did fail", "finished", "did finish"])
    }

    @Test("a delegate that is gone is not called, and is not kept")
    func weakly() async throws {
        let record = Record()
        var delegate: Record? = Record()
        let gone = { [weak delegate] in delegate == nil }
        let callbacks = callbacks(record, delegate: delegate)
        delegate = nil
        #expect(gone())
        try await run(client(), callbacks)
        #expect(record.called == ["success", "finished"])
    }

    @Test("a canceled task is silent where that is asked for, and only then", arguments: [false, true])
    func silence(isSilent: Bool) async throws {
        let record = Record()
        var callbacks = callbacks(record)
        callbacks.isSilentWhenCanceled = isSilent
        var options = Client.Options()
        options.transport = { _, _ in }
        let client = try Client(options)
        let task = try client.dispatch(Request("GET", "http://app.test/"), callbacks: callbacks)
        task.cancel()
        client.destroy()
        #expect(record.called == (isSilent ? [] : ["failure", "finished"]))
    }

    @Test("a function of a request's is called with the events of its tasks only, to the return of the callback")
    func events() async throws {
        let record = Record()
        let client = try client()
        var observed = try Request("GET", "http://app.test/")
        observed.observe { event in record.note("\(event.kind)") }
        for request in [observed, try Request("GET", "http://app.test/other")] {
            let task = try client.dispatch(request) { _ in }
            while task.state != .finished { await Task.yield() }
        }
        client.destroy()
        #expect(record.called == ["queued", "dispatched", "hopBegan", "hopEnded", "done", "returned"])
    }
}
