import NetcoreSupport

/// The time that tests set. What really passes is one thing, what the wall clock shows is another.
final class ModelClock: @unchecked Sendable {  // under `lock`
    private let lock = Lock()
    /// Milliseconds that really passed since 1970.
    private var real: Int64 = 1_750_000_000_000
    /// By how much the wall clock is wrong.
    private var error: Int64 = 0
    private var booted: Int64 = 1_749_999_000_000
    private var boot: UInt64 = 1

    var now: Timestamp {
        lock.withLock { Timestamp(wall: real + error, uptime: real - booted, boot: boot) }
    }

    /// Seconds since 1970 by a clock that is right, such as an origin's.
    var rightSeconds: Int64 { lock.withLock { real / 1000 } }

    func advance(_ milliseconds: Int64) { lock.withLock { real += milliseconds } }

    /// Somebody sets the wall clock.
    func jump(_ milliseconds: Int64) { lock.withLock { error += milliseconds } }

    func reboot() {
        lock.withLock {
            boot += 1
            booted = real - 5000
        }
    }
}
