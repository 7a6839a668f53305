package import NetcoreHTTP
package import NetcoreSupport

/// One response, and the threads that wait for it: each gets it.
package final class Waiter: @unchecked Sendable {  // under its lock
    let condition = Condition.reused()
    private var response: Response?

    package init() {}

    deinit { condition.giveBack() }

    func deliver(_ response: Response) {
        condition.lock.lock()
        self.response = response
        condition.lock.unlock()
        condition.broadcast()
    }

    /// The response, where it is there.
    var delivered: Response? { condition.lock.withLock { response } }

    /// Whether it is there; under the condition's lock, or on the client's loop, which delivers it.
    var hasResponse: Bool { response != nil }

    /// Waits for the response until a time; nil when that comes first.
    package func wait(until deadline: MonotonicTime) -> Response? {
        condition.lock.lock()
        defer { condition.lock.unlock() }
        while true {
            if let response { return response }
            guard deadline > .now else { return nil }
            if deadline == .never { condition.wait() } else { _ = condition.wait(until: deadline) }
        }
    }
}
