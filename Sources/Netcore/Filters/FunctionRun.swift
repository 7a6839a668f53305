internal import NetcoreSupport
internal import Synchronization

/// Functions of the application's that an exchange waits for.
final class FunctionRun: Sendable {
    private enum State {
        static let waiting: UInt8 = 0
        static let running: UInt8 = 1
        static let ended: UInt8 = 2
    }

    let since: MonotonicTime
    private let number = Atomic<Int>(0)
    private let state = Atomic<UInt8>(State.waiting)

    init(since: MonotonicTime) { self.since = since }

    /// The functions are about to run. False if nothing waits for them.
    ///
    /// - Parameter job: the worker's number for it.
    func begin(job: Int) -> Bool {
        number.store(job, ordering: .relaxed)
        return move(from: State.waiting, to: State.running)
    }

    var job: Int { number.load(ordering: .relaxed) }

    /// They have returned. False if nothing waits for them.
    func end() -> Bool { move(from: State.running, to: State.ended) }

    /// Nothing waits for them any more. Returns whether they are running.
    func giveUp() -> Bool { state.exchange(State.ended, ordering: .acquiringAndReleasing) == State.running }

    private func move(from: UInt8, to: UInt8) -> Bool {
        state.compareExchange(expected: from, desired: to, ordering: .acquiringAndReleasing).exchanged
    }
}
