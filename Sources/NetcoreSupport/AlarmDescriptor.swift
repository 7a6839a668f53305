internal import CLinux
internal import Glibc

/// A file descriptor that is readable from a time on, which any thread may set. For event loops of the application's.
package final class AlarmDescriptor: Sendable {
    /// Never read, only watched.
    package let descriptor: Int32

    /// Nil when the system has no more.
    package init?() {
        descriptor = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Readable from now on.
    package func ring() { set(timespec(tv_sec: 0, tv_nsec: 1), isAbsolute: false) }

    /// Readable when the time has come.
    package func ring(at time: MonotonicTime) {
        let microseconds = max(time.microseconds, 1)  // 0 would be never
        let time = timespec(tv_sec: microseconds / 1_000_000, tv_nsec: microseconds % 1_000_000 * 1000)
        set(time, isAbsolute: true)
    }

    /// Not readable.
    package func rest() { set(timespec(), isAbsolute: false) }

    private func set(_ time: timespec, isAbsolute: Bool) {
        var value = itimerspec(it_interval: timespec(), it_value: time)
        timerfd_settime(descriptor, isAbsolute ? Int32(TFD_TIMER_ABSTIME) : 0, &value, nil)
    }
}
