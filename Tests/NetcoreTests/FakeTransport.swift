@testable import Netcore
import NetcoreHTTP
import NetcoreSupport
@testable import NetcoreTransport

/// A transport without sockets: what is sent waits until the test says what comes of it, or is answered by a function.
final class FakeTransport: Transport, @unchecked Sendable {  // under the condition's lock
    private let condition = Condition()
    private var waiting: [FakeExchange] = []
    private var total = 0
    private var script: (@Sendable (FakeExchange) -> Void)?
    /// Of the loop.
    private var hosts: [String: Host] = [:]
    private var post: Post = { $0() }

    /// The transport of a client. The client's loop runs what is posted to it.
    func at(_ post: @escaping Post) -> FakeTransport {
        self.post = post
        return self
    }

    /// Answers what is sent from now on; nil lets it wait for ``next()``.
    func answer(_ script: (@Sendable (FakeExchange) -> Void)?) { condition.lock.withLock { self.script = script } }

    /// How many requests were sent.
    var count: Int { condition.lock.withLock { total } }

    /// The next request that was sent, or nil when none is within 30 seconds.
    func next() -> FakeExchange? {
        let deadline = MonotonicTime.now.adding(milliseconds: 30_000)
        condition.lock.lock()
        defer { condition.lock.unlock() }
        while waiting.isEmpty, condition.wait(until: deadline) {}
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }

    func host(for origin: String) -> Host {
        let host = hosts[origin] ?? Host(origin: origin)
        hosts[origin] = host
        return host
    }

    func start(
        _ wire: WireRequest, host: Host, limits: Limits, taskStart: MonotonicTime, handler: any TransferHandler
    ) -> any TransferToken {
        let exchange = FakeExchange(wire, handler, post)
        let answer = condition.lock.withLock {
            total += 1
            if script == nil { waiting.append(exchange) }
            return script
        }
        answer?(exchange)
        condition.broadcast()
        return exchange
    }
}

/// One request that was sent, and what comes of it: for any thread.
final class FakeExchange: TransferToken, @unchecked Sendable {  // `hasEnded` and the handler are the loop's
    let wire: WireRequest
    private let handler: any TransferHandler
    private let post: Post
    private var hasEnded = false

    init(_ wire: WireRequest, _ handler: any TransferHandler, _ post: @escaping Post) {
        self.wire = wire
        self.handler = handler
        self.post = post
    }

    /// The value of a field as it was sent; nil when there is none.
    func sent(_ name: String) -> String? {
        var next = wire.headers
        while let line = next {
            let text = String(cString: line.pointee.data)
            if text.lowercased().hasPrefix(name.lowercased() + ": ") { return String(text.dropFirst(name.count + 2)) }
            next = line.pointee.next
        }
        return nil
    }

    func cancel() -> Response {
        hasEnded = true
        return Response(error: NetcoreError(.canceled, phase: .wait))
    }

    func answer(_ status: Int = 200, _ fields: [String] = [], _ body: String = "") {
        let response = Response()
        response.status = status
        response.version = .http1_1
        response.fieldBlock = Self.block(fields)
        response.bodyBuffer = Array(body.utf8).withUnsafeBytes { ByteBuffer(copying: $0) }
        response.attempts = 1
        end(response)
    }

    func fail(_ code: NetcoreError.Code) { end(Response(error: NetcoreError(code))) }

    func interim(_ status: Int, _ fields: [String] = []) {
        let block = Self.block(fields)
        onLoop { self.handler.transferDidReceiveInterim(status: status, block) }
    }

    func progress(received: Int, expected: Int) {
        onLoop { self.handler.transferDidProgress(received: received, expected: expected, sent: 0) }
    }

    /// Waits until the client has taken in all that was asked of it before.
    func settle() {
        let done = Collector<Bool>()
        onLoop { done.add(true) }
        _ = done.wait(for: 1)
    }

    private func end(_ response: Response) {
        onLoop {
            guard !self.hasEnded else { return }
            self.hasEnded = true
            self.handler.transferDidEnd(response)
        }
    }

    private func onLoop(_ body: @escaping @Sendable () -> Void) { post(body) }

    /// Fields by their lines "Name: value".
    private static func block(_ lines: [String]) -> FieldBlock {
        let block = FieldBlock()
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            block.append(String(parts[0]), String(parts[1].drop { $0 == " " }))
        }
        return block
    }
}
