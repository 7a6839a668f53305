internal import NetcoreHTTP
internal import NetcoreSupport
internal import Synchronization

/// What a client may keep: a value without a clock, a lock or a file.
package protocol Keepable: Sendable {
    /// The option that names its file.
    static var option: String { get }
    /// What it is, in messages.
    static var noun: String { get }
    /// The bytes that its file may have: more than anything that is kept takes.
    static var sizeLimit: Int { get }

    init()

    var isEmpty: Bool { get }

    /// The text of a file, without what has expired.
    func text(now: Int64) -> [UInt8]

    /// Adds what the text of a file holds. Returns false for one that holds something, and nothing of this kind.
    mutating func read(_ text: [UInt8], now: Int64) -> Bool
}

/// A value that a client keeps, in memory or with a file. Any thread may use it; in the child of a fork it keeps nothing.
///
/// With a file, a change is written within a moment by a thread of its own, together with those that follow shortly. A failure
/// is logged once, and tried again with the next change and at the end. Of several clients with one file the last to
/// write wins.
package final class Kept<Value: Keepable>: @unchecked Sendable {  // all that changes is under `lock`
    private let file: KeptFile?
    private let queue: WorkQueue?
    private let clock: @Sendable () -> Int64
    private let writeDelay: Int
    private let forkCount = Fork.count
    private let hasNone: Atomic<Bool>
    private let pause = Pause()

    private let lock = Lock()
    private var value = Value()
    /// Whether the file lacks something, and whether a write is on its way.
    private var isAhead = false
    private var isWriteQueued = false
    private var hasWarned = false
    private var isClosed = false

    /// - Parameters:
    ///   - path: the file; nil for none. It need not be there, its folder must.
    ///   - writeDelay: milliseconds between a change and its writing.
    ///   - clock: seconds since 1970-01-01 UTC.
    init(
        file path: String?, writeDelay: Int = 200,
        clock: @escaping @Sendable () -> Int64 = { Timestamp.now.wall / 1000 }
    ) throws(NetcoreError) {
        self.writeDelay = writeDelay
        self.clock = clock
        guard Fork.isWatched else { throw NetcoreError(.outOfMemory) }
        if let path {
            let file = try KeptFile(path, option: Value.option)
            guard value.read(try file.read(sizeLimit: Value.sizeLimit), now: clock()) else {
                // It is another file than was meant, and is not overwritten.
                throw file.error("\(file.path) holds no \(Value.noun)")
            }
            self.file = file
            queue = WorkQueue(name: "netcore-keep")
            guard queue != nil else { throw NetcoreError(.outOfMemory) }
        } else {
            file = nil
            queue = nil
        }
        hasNone = Atomic(value.isEmpty)
    }

    deinit { close() }

    private var isOwn: Bool { Fork.count == forkCount }

    /// Whether there is nothing at all: without the lock.
    var isEmpty: Bool { hasNone.load(ordering: .relaxed) }

    /// The time by the clock of this value.
    var now: Int64 { clock() }

    /// Lends the value and the time. What the body changes need not get into the file. Nil in the child of a fork.
    func use<Result>(_ body: (inout Value, _ now: Int64) -> Result) -> Result? {
        guard isOwn else { return nil }
        let now = clock()
        return lock.withLock { body(&value, now) }
    }

    /// Changes the value and sees to it that the change gets into the file. The body returns how much it changed.
    @discardableResult
    func change(_ body: (inout Value, _ now: Int64) -> Int) -> Int {
        guard isOwn else { return 0 }
        let now = clock()
        return lock.withLock {
            let changes = body(&value, now)
            guard changes > 0 else { return 0 }
            hasNone.store(value.isEmpty, ordering: .relaxed)
            isAhead = true
            if !isWriteQueued { isWriteQueued = queueWrite() }
            return changes
        }
    }

    // MARK: The file

    /// The thread does not keep this while it waits: `deinit` writes what is left.
    private func queueWrite() -> Bool {
        queue?.add { [weak self, pause, writeDelay] in
            pause.wait(milliseconds: writeDelay)
            self?.write()
        } ?? false
    }

    private func write() {
        guard let file else { return }
        let now = clock()
        let value = lock.withLock {
            isAhead = false
            isWriteQueued = false
            return self.value
        }
        let failure: NetcoreError?
        do throws(NetcoreError) {
            try file.write(value.text(now: now))
            failure = nil
        } catch {
            failure = error
        }
        let isNews = lock.withLock {
            if failure != nil { isAhead = true }
            defer { hasWarned = failure != nil }
            return !hasWarned
        }
        if let failure, isNews { Log.warn("\(failure.message); the \(Value.noun) are kept only in memory") }
    }

    /// Writes what is not in the file yet, and ends the thread. Later changes stay in memory.
    func close() {
        guard isOwn else { return }
        let isFirst = lock.withLock {
            defer { isClosed = true }
            return !isClosed
        }
        guard isFirst else { return }
        pause.end()
        queue?.close()
        if lock.withLock({ isAhead }) { write() }
    }
}
