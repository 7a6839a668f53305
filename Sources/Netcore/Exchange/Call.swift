internal import NetcoreHTTP
internal import NetcoreSupport
internal import NetcoreTransport

/// What the I/O thread knows of a task on its way through the pipeline.
struct Call {
    var request: Request?
    var resolving: Resolving?
    /// Nil where the client says nothing of who sends the hop.
    var credentials: HopCredentials?
    /// Of hops to other origins.
    var earlierCredentials: [HopCredentials] = []
    /// How often it went out again behind a 401.
    var resends = 0
    /// The hop that is on its way, or next.
    var wire: WireRequest?
    /// The stage that holds it.
    var position = 0
    /// In the pipeline.
    var isStarted = false
    var isEnded = false
    /// No longer counted in the queue's length.
    var hasLeftQueue = false
    /// Waits for a slot.
    var isInLine = false
    /// A host task was told that it is no longer wanted.
    var hasCanceledHost = false
    var trimming = Request.Trimming()
    var redirects = 0
    /// The host whose slot it has.
    var host: Host?
    /// Where its connection goes in place of the host.
    var alternative: AlternativeService?
    /// The transfer.
    var token: AnyObject?
    var queuedSince = MonotonicTime.never
    /// The start of the first hop, moved later by what was spent queued between hops.
    var started: MonotonicTime?
    var queueTime: Int?
    /// Microseconds spent in functions of the host's, which count to the total timeout.
    var hostTime = 0
    var attempts = 0
    var bytesSent = 0
    var bytesReceived = 0

    /// Nil where no cache takes part.
    var cache: CacheState?

    /// Of reports on progress, in milliseconds; nil for none.
    var progressInterval: Int?
    var nextReport = MonotonicTime(microseconds: 0)

    init(_ request: Request?, _ wire: WireRequest?) {
        self.request = request
        self.wire = wire
        progressInterval = request?.options.progressInterval
    }
}
