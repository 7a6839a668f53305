public import NetcoreHTTP
package import NetcoreSupport
internal import Synchronization

/// A clock that moves only when it is advanced, for tests of an application. Clients and caches that have it measure no time by
/// the machine's: waits, timeouts, delays of stubs and the age of stored answers pass when it is advanced. For any thread.
///
/// What the network does takes the machine's time: connections, transfers and their timeouts. So do calls that wait.
public final class ManualClock: @unchecked Sendable {  // `members` is under the condition's lock
    /// It advances by itself to what is waited for next, whenever requests are under way and nothing can go on before.
    public let isAutomatic: Bool
    private let start = MonotonicTime.now
    private let startStamp: Timestamp
    private let passed = Atomic<Int>(0)
    private let condition = Condition()
    private var members: [ClockMember] = []
    private let forkCount = Fork.count

    /// - Parameter date: what it says at the start, since 1970-01-01 UTC; nil for what the machine's clock says.
    public init(startingAt date: Duration? = nil, isAutomatic: Bool = false) {
        self.isAutomatic = isAutomatic
        var stamp = Timestamp.now
        if let date {
            stamp.wall = date.milliseconds
            stamp.boot = 0  // what is stored tells its age by the wall clock only
        }
        startStamp = stamp
    }

    /// How far it has been advanced.
    public var elapsed: Duration { .microseconds(passed.load(ordering: .acquiring)) }

    /// Advances it. What becomes due is done by the clients, soon after the call.
    ///
    /// - Throws: `invalidArgument` for a negative span, and beyond 100 years in all.
    public func advance(by span: Duration) throws(NetcoreError) {
        guard Fork.count == forkCount else {
            throw NetcoreError(.forked, argument: "clock", "was created before fork(), in the parent")
        }
        let microseconds = span.microseconds
        try condition.lock.withLock { () throws(NetcoreError) in
            let before = passed.load(ordering: .relaxed)
            guard microseconds >= 0, microseconds <= Self.longest - before else {
                throw NetcoreError(
                    .invalidArgument, argument: "span", "must not be negative, and at most 100 years in all")
            }
            move(to: before + microseconds)
        }
    }

    private static let longest = 100 * 366 * 86_400 * 1_000_000

    /// Waits until its clients can do nothing before it is advanced, or the application does something: no function of a filter, a
    /// transport or a retry runs, no hop is with the network, and none awaits an answer by the application. What is to wait then waits.
    ///
    /// - Returns: false if that takes longer than the limit, by the machine's clock.
    public func waitUntilIdle(limit: Duration = .seconds(10)) throws(NetcoreError) -> Bool {
        guard Thread.mayWait else {
            throw NetcoreError(
                .invalidState, argument: "clock", "the call would wait for the netcore thread that makes it")
        }
        let end = MonotonicTime.now.adding(microseconds: limit.microseconds)
        return condition.lock.withLock {
            while !isIdle {
                if !condition.wait(until: min(end, MonotonicTime.now.adding(milliseconds: Self.look))), end <= .now {
                    return isIdle
                }
            }
            return true
        }
    }

    /// A submission is seen without a signal: milliseconds.
    private static let look = 5

    // MARK: For clients

    package var now: MonotonicTime { start.adding(microseconds: passed.load(ordering: .acquiring)) }

    package var timestamp: Timestamp {
        let milliseconds = Int64(passed.load(ordering: .acquiring) / 1000)
        return Timestamp(
            wall: startStamp.wall + milliseconds, uptime: startStamp.uptime + milliseconds, boot: startStamp.boot)
    }

    func add(_ member: ClockMember) { condition.lock.withLock { members.append(member) } }

    func remove(_ member: ClockMember) {
        condition.lock.withLock {
            members.removeAll { $0 === member }
            condition.broadcast()
        }
    }

    /// The loop of a client does something.
    func noteTurn(_ member: ClockMember) { condition.lock.withLock { member.rest = nil } }

    /// It has done all that it can, or waits for others.
    func note(_ rest: ClockMember.Rest, of member: ClockMember) {
        condition.lock.withLock {
            member.rest = rest
            guard isIdle else { return }
            condition.broadcast()
            guard isAutomatic, members.contains(where: { $0.rest?.hasTasks ?? false }) else { return }
            let next = members.compactMap { $0.rest?.next }.min() ?? .never
            if next != .never { move(to: next.microseconds(since: start)) }
        }
    }

    private var isIdle: Bool { members.allSatisfy { $0.isIdle } }

    /// With the lock held.
    private func move(to time: Int) {
        passed.store(max(time, passed.load(ordering: .relaxed)), ordering: .releasing)
        for member in members where member.rest.map({ $0.next <= now }) ?? false { member.wake() }
    }
}

/// A client, as its clock knows it. Under the clock's lock.
final class ClockMember {
    /// What a loop has come to.
    struct Rest {
        /// Nothing goes on before the time is advanced, or the application does something.
        let isIdle: Bool
        /// Requests are under way.
        let hasTasks: Bool
        /// What it waits for next.
        let next: MonotonicTime
        /// No thread drives it: what is submitted, other than requests, may wait for the next one that does.
        let isLeft: Bool
    }

    /// Nil while the loop is at work.
    var rest: Rest? = Rest(isIdle: true, hasTasks: false, next: .never, isLeft: true)
    private let intake: Intake

    init(_ intake: Intake) { self.intake = intake }

    var isIdle: Bool {
        guard let rest, rest.isIdle else { return false }
        return !intake.isWaiting || rest.isLeft && intake.taskCount == 0
    }

    /// Makes the loop look at the time.
    func wake() { intake.submit(.run { _ in }) }
}
