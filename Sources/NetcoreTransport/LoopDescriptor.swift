internal import CLinux
internal import Glibc
package import NetcoreSupport

/// What an application's own loop watches of a client that it drives: one descriptor, readable while the client's loop has events or
/// completions wait, and from the time on at which it wants a turn without either.
///
/// An epoll set around that of the loop, in which a thread that waits for a request of its own may wait at the same time: completions
/// are not its business, and would keep waking it. Its alarm is set under the lock of ``LoopDriver``.
package final class LoopDescriptor: @unchecked Sendable {  // see above
    package let descriptor: Int32
    private let alarm: AlarmDescriptor
    private var alarmTime = MonotonicTime.never

    /// Nil when descriptors ran out.
    package init?(_ loop: EventLoop, completions: Int32) {
        guard let alarm = AlarmDescriptor() else { return nil }
        self.alarm = alarm
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0, add(loop.descriptor), add(completions), add(alarm.descriptor) else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    private func add(_ watched: Int32) -> Bool {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.fd = watched
        return epoll_ctl(descriptor, EPOLL_CTL_ADD, watched, &event) == 0
    }

    /// Readable from a time on, or a little before: an alarm that is set stays, since most are for requests that end long before.
    package func ring(at time: MonotonicTime) {
        guard time < alarmTime || alarmTime <= .now else { return }
        if time == .never { return rest() }
        alarmTime = time
        alarm.ring(at: time)
    }

    /// No time, until the next one.
    package func rest() {
        guard alarmTime != .never else { return }
        alarmTime = .never
        alarm.rest()
    }
}
