internal import Glibc
public import NetcoreHTTP
internal import NetcoreStorage
package import NetcoreSupport

extension Cache {
    /// Options of a cache, chosen once.
    public struct Options: Sendable {
        /// Whether answers go to more than one user (RFC 9111 section 1.2); a private cache otherwise.
        public var isShared = false
        /// Whether answers are stored and served as their fields say (RFC 9111). Otherwise only requests with a time to
        /// live, of their own or by a rule, use the cache.
        public var followsHTTP = true
        /// The folder of the disk level, made with mode 0700 if it is not there; nil for only memory. Several processes
        /// may share it.
        public var folder: String?
        /// The folder for one request; nil for ``folder``. At most 64 are used; answers of further ones stay in memory. The
        /// limits hold for each.
        public var folderForRequest: RequestFunction?
        /// The key for one request in place of method, URL, body and fields; nil for the usual one.
        /// ``Request/CacheOptions/key`` wins.
        public var keyForRequest: RequestFunction?
        /// Times to live by URL; the first rule that matches counts. ``Request/CacheOptions/timeToLive`` wins.
        public var rules: [Rule] = []
        /// Bytes that the memory level may take; 0 turns it off.
        public var memoryBytes = 20 << 20
        public var memoryCount = Int.max
        /// Bytes that the disk level may take.
        public var diskBytes = 200 << 20
        public var diskCount = Int.max
        /// The largest body of a streamed response that is stored. Until its end a copy of it takes memory, at most 1 MiB of it with a
        /// folder.
        public var streamedBytes = 8 << 20
        /// How long values of the application's are kept (``Cache/put(_:for:timeToLive:tags:)``); nil: as long as there is room.
        public var valueTimeToLive: Duration?
        /// Whether an answer is on disk before its task ends; by default it is written soon.
        public var writesSynchronously = false
        /// What was stored by another version of the application is not used.
        public var applicationVersion = ""
        /// Whether a stale answer may be served, unless it forbids that, when the origin is out of reach.
        public var servesStaleWhenDisconnected = false
        /// Is notified of damage and full disks, on a thread of the cache that runs nothing else.
        public var onEvent: (@Sendable (Event) -> Void)?
        /// In place of the machine's clock, for tests; nil, the default, for that. Clients that use the cache must have the same.
        public var clock: ManualClock?
        /// The same, for tests of netcore.
        package var timestamps: (@Sendable () -> Timestamp)?

        public init() {}

        /// Throws when the folder cannot be one: its path is empty, a file is in its place or in that of a folder above it, or the path is
        /// too long.
        package func checkFolder() throws(NetcoreError) {
            guard let folder else { return }
            guard !folder.isEmpty else {
                throw NetcoreError(.invalidArgument, argument: "folder", "must not be empty")
            }
            guard let objection = DiskOptions.objection(to: folder) else { return }
            throw NetcoreError(.invalidArgument, argument: "folder", "\(objection)")
        }
    }

    /// A function of a request. Called once for each form of a request, on the thread that dispatches it; for the next hop of
    /// a redirect on the thread that drives the client's loop, which it must not hold up.
    public typealias RequestFunction = @Sendable (RequestDescription) -> String?

    /// What goes out, as the functions of a cache see it.
    public struct RequestDescription: Sendable {
        public let method: String
        /// Without user name, password and fragment.
        public let url: String
        public let headers: Headers
        /// Whether the function runs on the thread that drives the client's loop, for a request that was dispatched before. Else it
        /// runs in the call that dispatches.
        public var runsOnLoop: Bool { !Thread.mayWait }
        package let bodyBuffer: ByteBuffer?

        public func withBody<Result>(_ read: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
            try withExtendedLifetime(bodyBuffer) {
                try read(bodyBuffer?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0))
            }
        }
    }

    /// A time to live for all URLs that match a pattern.
    public struct Rule: Sendable {
        /// A pattern as of fnmatch() for whole URLs, without their fragment: `*` and `?` match any characters.
        public var urlPattern: String
        public var timeToLive: Duration

        public init(_ urlPattern: String, timeToLive: Duration) {
            self.urlPattern = urlPattern
            self.timeToLive = timeToLive
        }

        func matches(_ url: String) -> Bool { fnmatch(urlPattern, url, 0) == 0 }
    }

    /// What happened to the disk level. None of it is an error of a request.
    public enum Event: Sendable, Equatable {
        /// The database could not be used and was renamed to `path`; a fresh one began.
        case setAside(path: String, reason: String)
        /// Nothing is stored for now.
        case storingStopped(reason: String)
        case storingResumed
        /// A stored answer was damaged, and removed.
        case damagedEntry(url: String)
    }
}
