internal import Glibc

/// Where warnings go: to the application's function, or to standard error. For any thread.
package enum Log {
    package typealias Function = @Sendable (Level, String) -> Void

    /// Values are those of netcore/log.h.
    package enum Level: Int32, Sendable {
        case warning = 2
        case debug = 4
    }

    /// Held across a fork.
    static let lock = Lock()
    private nonisolated(unsafe) static var function: Function?  // under `lock`

    /// Sets where warnings go from now on; nil for standard error.
    package static func set(_ new: Function?) {
        _ = Fork.isWatched
        let old = lock.withLock {
            defer { function = new }
            return function
        }
        // It may hold something of the application's: not freed under the lock.
        withExtendedLifetime(old) {}
    }

    package static func warn(_ message: String) { tell(.warning, message) }

    package static func debug(_ message: String) { tell(.debug, message) }

    private static func tell(_ level: Level, _ message: String) {
        guard let function = lock.withLock({ function }) else {
            let line = Array("netcore: \(level): \(message)\n".utf8)
            _ = write(STDERR_FILENO, line, line.count)
            return
        }
        function(level, message)
    }
}
