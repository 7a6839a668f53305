internal import Glibc

/// When something happened, in a way that outlives the process: by the wall clock, which can be set, and by the clock of
/// this boot, which cannot and which counts while the machine sleeps. Both in milliseconds.
///
/// Within one boot the boot clock tells how long ago something was; only across boots the wall clock must do.
package struct Timestamp: Sendable, Hashable {
    /// Milliseconds since 1970-01-01 UTC.
    package var wall: Int64
    /// Milliseconds since the machine started.
    package var uptime: Int64
    /// Which start of the machine that was; 0 when it is not known.
    package var boot: UInt64

    package init(wall: Int64, uptime: Int64, boot: UInt64) {
        self.wall = wall
        self.uptime = uptime
        self.boot = boot
    }

    package static var now: Timestamp {
        Timestamp(wall: milliseconds(CLOCK_REALTIME), uptime: milliseconds(CLOCK_BOOTTIME), boot: thisBoot)
    }

    /// Milliseconds from an earlier time to this one, whatever either says: what does not fit is the longest span. Nil
    /// when that cannot be told: another boot, and a wall clock that went back since.
    package func milliseconds(since earlier: Timestamp) -> Int64? {
        if boot == earlier.boot, boot != 0 { return max(uptime.subtracting(saturating: earlier.uptime), 0) }
        return wall >= earlier.wall ? wall.subtracting(saturating: earlier.wall) : nil
    }

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// The kernel's random number of this boot, its first 64 bits.
    private static let thisBoot: UInt64 = {
        let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 36)
        guard read(file, &text, text.count) == text.count else { return 0 }
        let digits = text.filter { $0 != UInt8(ascii: "-") }.prefix(16)
        return UInt64(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
    }()
}
