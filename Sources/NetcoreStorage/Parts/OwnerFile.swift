internal import Glibc
internal import NetcoreSupport

/// Says that a part is being written to where the file system has no locks: a file beside it that only one can make, and whose time
/// is set again and again while its owner is at work. One that was not touched for ``patience`` seconds has no owner.
///
/// Times are compared as the file system gives them: that of a server, not of each machine.
final class OwnerFile: Sendable {
    /// Between two touches, in milliseconds.
    private static let beat = 5000
    /// In seconds.
    static let patience: Int64 = 30

    private let path: String
    private let file: Int32
    private let heart: Heart
    private let thread: Thread
    private let forkCount = Fork.count

    /// Makes the file, in place of one without an owner. Throws `busy` if another is at work.
    init(_ path: String) throws(FileFailure) {
        let file = try Self.take(path)
        let heart = Heart(file)
        guard let thread = Thread(name: "netcore-owner", mayWait: false, { heart.run(every: Self.beat) }) else {
            unlink(path)
            close(file)
            throw FileFailure(code: EAGAIN, "\(path): no thread can be started")
        }
        self.path = path
        self.file = file
        self.heart = heart
        self.thread = thread
    }

    deinit {
        if Fork.count == forkCount {
            heart.stop()
            thread.join()
            if isOwn { unlink(path) }
        }
        close(file)
    }

    /// Whether the file that has the name is still the one that was made.
    var isOwn: Bool { PartFile.isSame(file, path) }

    private static func take(_ path: String) throws(FileFailure) -> Int32 {
        for _ in 0..<100 {
            let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            if file >= 0 { return file }
            guard errno == EEXIST else { throw .system(path) }
            guard try displace(path) else { break }
        }
        throw FileFailure(.busy, code: EAGAIN, "\(path): another download writes to the part")
    }

    /// Removes a file without an owner. False if it has one.
    private static func displace(_ path: String) throws(FileFailure) -> Bool {
        guard let found = information(path) else { return true }
        guard try isLeft(found, path) else { return false }
        let aside = unused(path)
        guard rename(path, aside) == 0 else { return errno == ENOENT }
        defer { unlink(aside) }
        guard let moved = information(aside), moved.st_ino != found.st_ino || !isSameTime(moved, found) else {
            return true
        }
        // Somebody else was faster, and this is his.
        _ = link(aside, path)
        return false
    }

    /// Whether somebody writes to the part whose owner's file it would be.
    static func isHeld(_ path: String) -> Bool {
        guard let found = information(path) else { return false }
        return !((try? isLeft(found, path)) ?? false)
    }

    private static func isLeft(_ found: stat, _ path: String) throws(FileFailure) -> Bool {
        let probe = unused(path)
        let file = open(probe, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .system(probe) }
        defer {
            unlink(probe)
            close(file)
        }
        var now = stat()
        guard fstat(file, &now) == 0 else { throw .system(probe) }
        return Int64(now.st_mtim.tv_sec) - Int64(found.st_mtim.tv_sec) > patience
    }

    private static func information(_ path: String) -> stat? {
        var information = stat()
        return lstat(path, &information) == 0 ? information : nil
    }

    private static func isSameTime(_ one: stat, _ other: stat) -> Bool {
        one.st_mtim.tv_sec == other.st_mtim.tv_sec && one.st_mtim.tv_nsec == other.st_mtim.tv_nsec
    }

    private static func unused(_ path: String) -> String {
        path + "-" + String(UInt64.random(in: .min ... .max), radix: 16)
    }
}

/// Touches a file until it is stopped.
private final class Heart: @unchecked Sendable {  // `isStopped` is under the condition's lock
    private let condition = Condition()
    private let file: Int32
    private var isStopped = false

    init(_ file: Int32) { self.file = file }

    func run(every milliseconds: Int) {
        condition.lock.withLock {
            while !isStopped {
                let due = MonotonicTime.now.adding(milliseconds: milliseconds)
                while !isStopped, condition.wait(until: due) {}
                if !isStopped { futimens(file, nil) }
            }
        }
    }

    func stop() {
        condition.lock.withLock {
            isStopped = true
            condition.signal()
        }
    }
}
