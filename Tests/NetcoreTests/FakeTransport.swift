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

    func host(for origin: String) -> Host { Host(origin: origin) }

    func start(
        _ wire: WireRequest, host: Host, limits: Limits, taskStart: MonotonicTime, handler: any TransferHandler
    ) -> AnyObject {
        guard let task = handler as? RequestTask else { return self }
        let exchange = FakeExchange(wire, task)
        let answer = condition.lock.withLock {
            total += 1
            if script == nil { waiting.append(exchange) }
            return script
        }
        answer?(exchange)
        condition.broadcast()
        return exchange
    }

    func cancel(_ token: AnyObject) -> Response {
        (token as? FakeExchange)?.markEnded()
        return Response(error: NetcoreError(.canceled, phase: .wait))
    }
}

/// One request that was sent, and what comes of it: for any thread.
final class FakeExchange: @unchecked Sendable {  // `hasEnded` is the I/O thread's
    let wire: WireRequest
    private let task: RequestTask
    private var hasEnded = false

    init(_ wire: WireRequest, _ task: RequestTask) {
        self.wire = wire
        self.task = task
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

    func markEnded() { hasEnded = true }

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
        onIOThread { self.task.transferDidReceiveInterim(status: status, block) }
    }

    /// Waits until the client has taken in all that was asked of it before.
    func settle() {
        let done = Collector<Bool>()
        onIOThread { done.add(true) }
        _ = done.wait(for: 1)
    }

    private func end(_ response: Response) {
        onIOThread {
            guard !self.hasEnded else { return }
            self.hasEnded = true
            self.task.transferDidEnd(response)
        }
    }

    private func onIOThread(_ body: @escaping @Sendable () -> Void) {
        task.engine.intake.submit(.run { _ in body() })
    }

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
