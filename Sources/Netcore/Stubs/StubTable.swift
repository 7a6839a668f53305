public import NetcoreHTTP
internal import NetcoreSupport

/// Stubs that answer the requests of clients in place of the network, for tests of an application. For any thread; several clients may
/// have one.
///
/// It stands below everything else that a client does: the cache, retries, redirects, cookies and timeouts work as with the network,
/// and each hop is a request here.
public final class StubTable: @unchecked Sendable {  // `state` is under `lock`
    /// A request that came.
    public struct Call: Sendable {
        public let request: Request
        /// The number of the stub that answered; nil if none did.
        public let stub: Int?
    }

    private struct Entry: Sendable {
        var stub: Stub
        let pattern: StubPattern
        var calls = 0

        var isUsedUp: Bool { calls >= stub.times ?? .max }
    }

    private struct State: Sendable {
        var entries: [Entry] = []
        var calls: [Call] = []
    }

    private let lock = Lock()
    private var state = State()
    private let random: @Sendable () -> Double

    public convenience init() { self.init { .random(in: 0..<1) } }

    /// - Parameter random: gives numbers of [0, 1), for delays.
    package init(random: @escaping @Sendable () -> Double) { self.random = random }

    /// Adds a stub. Where several match, the one that was added first answers. Returns its number, counted from 0.
    @discardableResult
    public func add(_ stub: Stub) throws(NetcoreError) -> Int {
        let entry = Entry(stub: stub, pattern: try stub.makePattern())
        return lock.withLock {
            state.entries.append(entry)
            return state.entries.count - 1
        }
    }

    /// Adds to what a stub answers one after the other.
    public func addAnswer(_ answer: StubAnswer, to stub: Int) throws(NetcoreError) {
        try answer.check()
        let isThere = lock.withLock {
            guard state.entries.indices.contains(stub) else { return false }
            state.entries[stub].stub.answers.append(answer)
            return true
        }
        if !isThere { throw Self.noStub }
    }

    private static let noStub = NetcoreError(.notFound, argument: "stub", "there is no stub of that number")

    /// What came so far, in order.
    public var calls: [Call] { lock.withLock { state.calls } }

    /// How often a stub answered.
    public func callCount(of stub: Int) throws(NetcoreError) -> Int {
        let count = lock.withLock { state.entries.indices.contains(stub) ? state.entries[stub].calls : nil }
        guard let count else { throw Self.noStub }
        return count
    }

    /// How many stubs there are.
    public var count: Int { lock.withLock { state.entries.count } }

    /// Forgets all stubs and calls.
    public func reset() { lock.withLock { state = State() } }

    /// Refuses with ``NetcoreError/Code/noStub`` if a request had no stub, or if a stub answered no request: the message names them.
    public func check() throws(NetcoreError) {
        let (entries, calls) = lock.withLock { (state.entries, state.calls) }
        let unanswered = calls.filter { $0.stub == nil }
        guard unanswered.isEmpty else {
            let names = unanswered.map { "\($0.request.method) \($0.request.urlString)" }
            throw NetcoreError(.noStub, "no stub answered \(names.joined(separator: ", "))")
        }
        let unused = entries.filter { $0.calls == 0 }
        guard unused.isEmpty else {
            throw NetcoreError(.noStub, "not requested: \(unused.map(\.pattern.description).joined(separator: ", "))")
        }
    }

    /// What a client has as its transport: ``Client/Options/transport``.
    public var transport: Client.TransportFunction { { [self] request, hop in answer(request, hop) } }

    // MARK: Answering

    private func answer(_ request: Request, _ hop: TransportHop) {
        let seen = StubRequest(request)
        let found: (stub: Stub, call: Int)? = lock.withLock {
            let candidates = state.entries.map { StubSearch.Candidate($0.pattern, isUsedUp: $0.isUsedUp) }
            let index = StubSearch.find(seen, among: candidates)
            state.calls.append(Call(request: request, stub: index))
            guard let index else { return nil }
            state.entries[index].calls += 1
            return (state.entries[index].stub, state.entries[index].calls - 1)
        }
        do throws(NetcoreError) {
            guard let found else { return try hop.fail(.noStub, explanation(of: seen)) }
            if let function = found.stub.function { return function(request, hop) }
            let answers = found.stub.answers
            let answer = answers.isEmpty ? StubAnswer() : answers[min(found.call, answers.count - 1)]
            try hop.answer(answer, random)
        } catch {
            // One that has ended needs no answer.
            try? hop.fail(.internal, error.message)
        }
    }

    private func explanation(of request: StubRequest) -> String {
        let entries = lock.withLock { state.entries }
        return StubSearch.explain(
            request, among: entries.map { StubSearch.Candidate($0.pattern, isUsedUp: $0.isUsedUp) })
    }
}

extension StubRequest {
    init(_ request: Request) {
        self.init(
            method: request.method, url: request.urlString, headers: request.fields.map { ($0.name, $0.value) },
            body: request.bodyData)
    }
}

extension Client {
    /// Sets stubs in place of the network, for hops that start from now on; nil for the network.
    public func setStubs(_ stubs: StubTable?) throws(NetcoreError) {
        try setTransport(stubs?.transport)
    }
}
