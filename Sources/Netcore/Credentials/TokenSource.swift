public import NetcoreHTTP
internal import NetcoreSupport

extension Client {
    /// Gives a token; nil where there is none. It may take its time, and use the client for custom requests.
    ///
    /// - Parameter refused: the token that a server answered with 401; nil where there was none.
    public typealias TokenFunction = @Sendable (_ refused: String?) throws -> String?

    /// Sets where bearer tokens (RFC 6750) for an origin come from. Requests to it have "Authorization: Bearer" and the token, but
    /// custom ones and those with credentials of their own. A 401 asks the function for another token: once, for all requests that
    /// the old one failed, and each of them is sent again once. What the function throws is what these requests end with.
    ///
    /// - Parameters:
    ///   - origin: a URL, of which scheme, host and port count.
    ///   - function: runs on a thread of the client's, one at a time. Nil removes the source.
    public func setTokenSource(_ origin: String, _ function: TokenFunction?) throws(NetcoreError) {
        let origin = try Self.base(origin, "origin").origin
        try change { settings in
            settings.tokenSources[origin] = function.map { TokenSource(origin: origin, function: $0) }
        }
    }
}

extension Client {
    /// The same with a function that awaits something. Other functions of the client's thread wait meanwhile; its own `async` calls do
    /// not need that thread.
    public func setTokenSource(
        _ origin: String, awaiting function: @escaping @Sendable (_ refused: String?) async throws -> String?
    ) throws(NetcoreError) {
        try setTokenSource(origin) { refused in try Awaited { try await function(refused) }.value() }
    }
}

/// What a task of Swift's ends with, for a thread that waits for it.
private final class Awaited<Value: Sendable>: @unchecked Sendable {  // `result` is under the condition's lock
    private let condition = Condition()
    private var result: Result<Value, any Error>?

    init(_ body: @escaping @Sendable () async throws -> Value) {
        Task {
            let result: Result<Value, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            self.end(result)
        }
    }

    private func end(_ result: Result<Value, any Error>) {
        condition.lock.withLock {
            self.result = result
            condition.broadcast()
        }
    }

    func value() throws -> Value {
        condition.lock.lock()
        defer { condition.lock.unlock() }
        while true {
            if let result { return try result.get() }
            condition.wait()
        }
    }
}

/// The tokens of an origin. For any thread; the loop keeps what waits for one.
final class TokenSource: @unchecked Sendable {  // `token` and `number` are under `lock`
    let origin: String
    private let function: Client.TokenFunction
    private let lock = Lock()
    private var token: String?
    /// How many tokens there have been.
    private var number = 0
    /// For the client's loop: what waits for the function, with the numbers of the holds. It is called if anything does.
    var waiting: [(exchange: Exchange, hold: Int)] = []

    init(origin: String, function: @escaping Client.TokenFunction) {
        self.origin = origin
        self.function = function
    }

    struct Token {
        let text: String
        let number: Int
    }

    var current: Token? { lock.withLock { token.map { Token(text: $0, number: number) } } }

    /// Asks for another token than the current one. Blocks.
    func renew() throws(NetcoreError) {
        let refused = lock.withLock { token }
        let result = Result { () throws(NetcoreError) in
            let token = try ApplicationFunction.run { try function(refused) }
            if let token { try Authentication.check(token: token) }
            return token
        }
        lock.withLock {
            token = try? result.get()
            number += 1
        }
        _ = try result.get()
    }
}
