@testable import Netcore
import NetcoreHTTP
import NetcoreSupport

/// A client with a cache, on a clock that the test sets, before an origin without sockets.
final class CacheBench {
    let clock: ModelClock
    let transport = FakeTransport()
    let cache: Cache
    let client: Client

    static let url = "https://one.test/a"

    init(clock: ModelClock = ModelClock(), _ change: (inout Cache.Options) -> Void = { _ in }) throws {
        self.clock = clock
        var options = Cache.Options()
        options.timestamps = { clock.now }
        options.writesSynchronously = true
        change(&options)
        cache = Cache(options)
        client = try Self.client(cache, transport)
    }

    /// Waits for the client's threads: what they hold of the cache goes before its folder does.
    deinit { client.destroy() }

    private static func client(_ cache: Cache, _ transport: FakeTransport) throws -> Client {
        var options = Client.Options()
        options.cache = cache
        options.makeTransport = { transport.at($0) }
        return try Client(options)
    }

    /// What comes of a request, as a task sees it: an early answer or the end.
    struct Event: Sendable {
        let result: Result<Response, NetcoreError>
        let isEarly: Bool

        var response: Response? { try? result.get() }
        var error: NetcoreError.Code? { if case .failure(let error) = result { error.code } else { nil } }
        var cacheResult: CacheResult? { response?.cacheResult }
        var text: String? { response?.text }
    }

    typealias Events = Collector<Event>

    /// Dispatches a request; what comes of it is collected.
    func dispatch(_ request: Request) throws -> (task: RequestTask, events: Events) {
        let events = Events()
        let task = try client.dispatch(request) {
            events.add(Event(result: .success($0), isEarly: true))
        } onCompletion: {
            events.add(Event(result: $0, isEarly: false))
        }
        return (task, events)
    }

    func request(
        _ method: String = "GET", _ url: String = CacheBench.url, _ fields: [(String, String)] = [],
        _ change: (inout Request) -> Void = { _ in }
    ) throws -> Request {
        var request = try Request(method, url)
        for (name, value) in fields { try request.addHeader(name, value) }
        change(&request)
        return request
    }

    /// Dispatches a GET that takes one answer at most, which is given in advance, and waits for its end.
    @discardableResult
    func get(
        _ fields: [(String, String)] = [],
        answer: @escaping @Sendable (FakeExchange) -> Void = { $0.answer(200, ["Cache-Control: max-age=60"], "new") }
    ) throws -> Event {
        try perform(request("GET", Self.url, fields), answer: answer)
    }

    /// The same with a request that is changed.
    @discardableResult
    func get(
        with change: (inout Request) -> Void,
        orElse answer: @escaping @Sendable (FakeExchange) -> Void = {
            $0.answer(200, ["Cache-Control: max-age=60"], "new")
        }
    ) throws -> Event {
        try perform(request(change), answer: answer)
    }

    @discardableResult
    func perform(_ request: Request, answer: @escaping @Sendable (FakeExchange) -> Void) throws -> Event {
        transport.answer(answer)
        defer { transport.answer(nil) }
        let events = try dispatch(request).events
        let ends = events.wait(for: 1)
        return ends.first ?? Event(result: .failure(NetcoreError(.internal)), isEarly: false)
    }

    /// Stores "old" under the usual URL.
    @discardableResult
    func store(_ fields: [String] = ["Cache-Control: max-age=60"], _ body: String = "old") throws -> Event {
        try get { $0.answer(200, fields, body) }
    }
}
