internal import NetcoreSupport

/// A thread that waits for one response.
package final class Waiter: @unchecked Sendable {  // under its lock
    private let condition = Condition()
    private var response: Response?

    package init() {}

    func deliver(_ response: Response) {
        condition.lock.lock()
        self.response = response
        condition.lock.unlock()
        condition.signal()
    }

    package func wait() -> Response {
        condition.lock.lock()
        defer { condition.lock.unlock() }
        while true {
            if let response { return response }
            condition.wait()
        }
    }
}
