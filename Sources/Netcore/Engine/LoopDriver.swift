internal import NetcoreSupport

/// Who drives a client's loop: today a thread that does nothing else. The only place that decides it.
struct LoopDriver {
    private let thread: Thread

    /// Starts to drive. Nil when no thread can be started.
    init?(_ engine: Engine) {
        // It keeps the engine until the client has ended.
        guard let thread = Thread(name: "netcore-io", mayWait: false, { engine.loop.run() }) else { return nil }
        self.thread = thread
    }

    /// Waits until the client has ended.
    func join() { thread.join() }

    func detach() { thread.detach() }
}

extension ClientLoop {
    /// Turns until the client has ended.
    fileprivate func run() {
        begin()
        while turn() {}
        end()
    }
}
