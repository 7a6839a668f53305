internal import NetcoreHTTP
internal import NetcoreSupport
internal import Synchronization

/// The cookies of a client, in memory or with a file. Any thread may use it; in the child of a fork it is empty and keeps
/// nothing.
///
/// With a file, a change is written within a moment by a thread of the store's own, together with those that follow
/// shortly. A failure is told to the log once, and tried again with the next change and at the end. Of several stores on
/// one file the last to write wins.
package final class CookieStore: @unchecked Sendable {  // all that changes is under `lock`
    private let file: CookieFile?
    private let queue: WorkQueue?
    private let clock: @Sendable () -> Int64
    private let writeDelay: Int
    private let forkCount = Fork.count
    private let hasNone: Atomic<Bool>
    private let pause = Pause()

    private let lock = Lock()
    private var jar = CookieJar()
    /// Whether the file lacks something, and whether a write is on its way.
    private var isAhead = false
    private var isWriteQueued = false
    private var hasWarned = false
    private var isClosed = false

    /// - Parameters:
    ///   - path: the file; nil for a jar in memory. It need not be there, its folder must.
    ///   - writeDelay: milliseconds between a change and its writing.
    ///   - clock: seconds since 1970-01-01 UTC.
    package init(
        file path: String? = nil, writeDelay: Int = 200,
        clock: @escaping @Sendable () -> Int64 = { Timestamp.now.wall / 1000 }
    ) throws(NetcoreError) {
        self.writeDelay = writeDelay
        self.clock = clock
        guard Fork.isWatched else { throw NetcoreError(.outOfMemory) }
        if !PublicSuffixes.isAvailable {
            Log.warn("there is no public suffix list: no cookie goes to another host than its own")
        }
        if let path {
            let file = try CookieFile(path)
            try Self.load(file, into: &jar, now: clock())
            self.file = file
            queue = WorkQueue(name: "netcore-cookies")
            guard queue != nil else { throw NetcoreError(.outOfMemory) }
        } else {
            file = nil
            queue = nil
        }
        hasNone = Atomic(jar.count == 0)
    }

    deinit { close() }

    /// A file without a single cookie among its lines is another one than was meant, and is not overwritten.
    private static func load(_ file: CookieFile, into jar: inout CookieJar, now: Int64) throws(NetcoreError) {
        let found = CookieText.decode(try file.read())
        guard !found.cookies.isEmpty || found.badLines == 0 else { throw CookieFile.error("\(file.path) holds no cookies") }
        for cookie in found.cookies { _ = jar.store(cookie, now: now) }
    }

    private var isOwn: Bool { Fork.count == forkCount }

    // MARK: For requests

    /// Whether there is no cookie at all: without the lock.
    package var isEmpty: Bool { hasNone.load(ordering: .relaxed) }

    /// The value of the Cookie field; nil when there is nothing to send.
    package func header(for url: HTTPURL) -> [UInt8]? {
        guard !isEmpty, isOwn else { return nil }
        let scope = CookieScope(url)
        let now = clock()
        return lock.withLock { jar.header(for: scope, now: now) }
    }

    /// Takes the Set-Cookie fields of an answer.
    package func receive(setCookie fields: FieldBlock, from url: HTTPURL) {
        guard fields.contains("Set-Cookie") else { return }
        let scope = CookieScope(url)
        _ = change { jar, now in jar.receive(fields, from: scope, now: now) ? 1 : 0 }
    }

    // MARK: For the caller

    /// All cookies that have not expired, in the order in which they were made.
    package var all: [Cookie] {
        guard isOwn else { return [] }
        let now = clock()
        return lock.withLock { jar.cookies(now: now) }
    }

    /// Adds a cookie, or puts it in the place of its predecessor.
    package func set(_ cookie: Cookie) throws(NetcoreError) {
        let cookie = try cookie.validated()
        _ = change { jar, now in jar.store(cookie, now: now) ? 1 : 0 }
    }

    /// Does what an answer of a URL would do with this Set-Cookie field.
    package func set(_ setCookie: String, from url: HTTPURL) throws(NetcoreError) {
        let scope = CookieScope(url)
        let now = clock()
        let cookie = Array(setCookie.utf8).withUnsafeBytes { SetCookie($0)?.cookie(from: scope, now: now) }
        guard let cookie else { throw NetcoreError(.invalidArgument, "set_cookie: it is no cookie that this URL may set") }
        _ = change { jar, now in jar.store(cookie, isTrusted: scope.isSecure, now: now) ? 1 : 0 }
    }

    /// Removes the cookies of a domain, a path and a name, each as it is kept; nil for any. Returns how many.
    @discardableResult
    package func clear(domain: String? = nil, path: String? = nil, name: String? = nil) -> Int {
        let domain = domain.map(Cookie.canonical(domain:))
        return change { jar, _ in
            jar.removeAll { cookie in
                (domain ?? cookie.domain) == cookie.domain && (path ?? cookie.path) == cookie.path
                    && (name ?? cookie.name) == cookie.name
            }
        }
    }

    /// Removes the cookies that have no end of their own. Returns how many.
    @discardableResult
    package func clearSession() -> Int { change { jar, _ in jar.removeAll { $0.expires == nil } } }

    /// All cookies in Netscape's format.
    package func export() -> [UInt8] { CookieText.encode(all) }

    /// Adds the cookies of a text in Netscape's format. Returns how many lines held one; other lines are skipped.
    @discardableResult
    package func `import`(_ text: some Sequence<UInt8>) -> Int {
        let cookies = CookieText.decode(text).cookies
        _ = change { jar, now in cookies.reduce(0) { $0 + (jar.store($1, now: now) ? 1 : 0) } }
        return cookies.count
    }

    // MARK: The file

    /// Changes the jar and sees to it that the change gets into the file. The body returns how much it changed.
    private func change(_ body: (inout CookieJar, Int64) -> Int) -> Int {
        guard isOwn else { return 0 }
        let now = clock()
        return lock.withLock {
            let changes = body(&jar, now)
            guard changes > 0 else { return 0 }
            hasNone.store(jar.count == 0, ordering: .relaxed)
            isAhead = true
            if !isWriteQueued { isWriteQueued = queueWrite() }
            return changes
        }
    }

    /// The thread does not keep the store while it waits: `deinit` writes what is left.
    private func queueWrite() -> Bool {
        queue?.add { [weak self, pause, writeDelay] in
            pause.wait(milliseconds: writeDelay)
            self?.write()
        } ?? false
    }

    private func write() {
        guard let file else { return }
        let now = clock()
        let cookies = lock.withLock {
            isAhead = false
            isWriteQueued = false
            return jar.cookies(now: now)
        }
        let failure: NetcoreError?
        do throws(NetcoreError) {
            try file.write(CookieText.encode(cookies))
            failure = nil
        } catch {
            failure = error
        }
        let isNews = lock.withLock {
            if failure != nil { isAhead = true }
            defer { hasWarned = failure != nil }
            return !hasWarned
        }
        if let failure, isNews { Log.warn("\(failure.message); the cookies are in memory alone") }
    }

    /// Writes what is not in the file yet, and ends the thread. Later changes stay in memory.
    package func close() {
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
