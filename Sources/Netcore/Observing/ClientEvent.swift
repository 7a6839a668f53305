public import NetcoreHTTP

/// Something that happened to a task of a client, or to the client. Its members are those of `netcore_client_event`
/// (netcore/observer.h), which says what they mean for each kind.
public struct ClientEvent: Sendable, Hashable {
    /// What happened. Values are those of netcore/observer.h; later versions have more.
    public enum Kind: Int32, Sendable, CaseIterable {
        /// The task was dispatched.
        case queued = 1
        /// It left the queue. `value`: nanoseconds there.
        case dispatched = 2
        /// The cache decided about a hop. `value`: the raw value of a ``CacheResult``.
        case cache = 3
        /// It waits for the answer to an equal request. `value`: the number of the task for whom that is sent, 0 if the cache let it
        /// wait.
        case joined = 4
        /// It waits before a hop. `value`: the raw value of a ``Wait``.
        case waitBegan = 5
        /// The wait is over, or the task ends during it. `value`: the raw value of a ``Wait``, `detail`: nanoseconds that it took.
        case waitEnded = 6
        /// A hop is handed to the transport. `value`: bytes of the request's body, -1 if not known.
        case hopBegan = 10
        /// Of a new connection, or of one that failed after it. `value`: nanoseconds that it took.
        case resolved = 11
        case connected = 12
        case secured = 13
        /// The request was handed to the connection, with its body. `value`: bytes of the body.
        case sent = 14
        /// The first byte of an answer came.
        case firstByte = 15
        /// The hop ended. `value`: bytes received, `detail`: bytes sent; ``ClientEvent/peer`` and ``ClientEvent/version`` say by what it
        /// was sent.
        case hopEnded = 16
        /// Another hop follows a redirect. `value`: how many redirects the task has followed.
        case redirect = 20
        /// Another attempt follows a 401, with other credentials. `value`: how many did for this task.
        case auth = 21
        /// Another attempt follows, by the policy of retries. `value`: nanoseconds until then, `detail`: those that Retry-After asked for.
        case retry = 22
        /// The breaker of the origin refused the task. `value`: nanoseconds until it lets one through.
        case breaker = 23
        /// Another service was selected by failover, after a try of this task.
        case failover = 24
        /// The network became reachable or not. `value`: the raw value of a ``Reachability``.
        case reachability = 25
        /// A hedge is sent. `status` or `error`: the failure that it follows. `value`: nanoseconds since the first try began.
        case hedge = 26
        /// The breaker of the hop's origin changed its state, by what came of this task's hop, or since the hop is its probe. `value`: the
        /// raw value of a ``BreakerState``, `detail`: nanoseconds until it lets the next probe through.
        case breakerState = 27
        /// The task ended. `value`: nanoseconds since it was dispatched, `detail`: bytes received.
        case done = 30
        /// The callback of the task has returned, or was dropped: after ``done``, only for a task with a callback.
        case returned = 31
        /// Something happened to the disk level of the client's cache; belongs to no task. `value`: the number of a
        /// ``Cache/Event``, as in netcore/cache.h.
        case storage = 40
    }

    /// What a task waits for.
    public enum Wait: Int, Sendable, CaseIterable {
        /// A limit on transfers, of the client or of a host.
        case slot = 1
        case rate = 2
        case network = 3
        /// The minimum interval between equal requests.
        case interval = 4
    }

    public let kind: Kind
    /// Nanoseconds of the monotonic clock.
    public let time: Int
    /// Of the task: unique in its client, from 1 on; 0 for an event of no task.
    public let number: UInt64
    /// The id of the task; 0 for one without.
    public let taskID: UInt64
    /// The attempt, from 1 on, and the hop in it; 0 before the first.
    public let attempt: Int
    public let hop: Int
    /// The status code; 0 without an answer.
    public let status: Int
    /// Why the hop or task failed.
    public let error: NetcoreError.Code?
    public let value: Int
    public let detail: Int
    /// Of ``Kind/hopEnded``: where its connection went; nil if that is not known, or without a connection.
    public var peer: PeerAddress?
    /// Of ``Kind/hopEnded``: that of the answer.
    public var version: HTTPVersion?
}
