public import NetcoreHTTP
package import NetcoreTransport

extension Request {
    /// Which of the requests that wait for a slot goes first.
    public var priority: Priority {
        get { options.priority }
        set { set(.priority) { $0.priority = newValue } }
    }

    /// Bytes of the body a second to receive at most, on average; nil or 0 for any. A negative one is an error of the dispatch
    /// (``NetcoreError/Code/invalidArgument``).
    public var maximumReceiveRate: Int? {
        get { options.rates.receive }
        set { set(.receiveRate) { $0.rates.receive = newValue == 0 ? nil : newValue } }
    }

    /// Bytes of the body a second to send at most, on average; nil or 0 for any. A negative one is an error of the dispatch
    /// (``NetcoreError/Code/invalidArgument``).
    public var maximumSendRate: Int? {
        get { options.rates.send }
        set { set(.sendRate) { $0.rates.send = newValue == 0 ? nil : newValue } }
    }

    /// Whether the request is never sent a second time where its connection was lost, not even where that does no harm. The task
    /// then ends with `connectionLost`. Off by default: an idempotent request (RFC 9110 section 9.2.2) is, and any other that the
    /// server cannot have carried out. Redirects and challenges have nothing to do with it.
    public var isSentOnce: Bool {
        get { options.isSentOnce }
        set { set(.isSentOnce) { $0.isSentOnce = newValue } }
    }

    /// How long to wait for the server's leave before a body is sent ("Expect: 100-continue", RFC 9110 section 10.1.1). Nil, the
    /// default, does not ask. A final answer that comes first is the answer, and nothing of the body is sent; after a 417 the request
    /// is sent again without the field.
    public var expectContinue: Duration? {
        get { options.expectTimeout == 0 ? nil : .milliseconds(options.expectTimeout) }
        set { set(.expectContinue) { $0.expectTimeout = newValue.map { Int(clamping: $0.milliseconds) } ?? 0 } }
    }

    /// Whether a body is taken whose end is not confirmed: a gzip or deflate body whose compressed data is whole, but not the
    /// checksum that follows, and over TLS a body that has neither length nor chunks and ends without close_notify. The response is
    /// not stored in a cache. Off by default: such a body can have been cut on its way, and ends with `truncated`. A body that is
    /// shorter than its length, and chunks without the last one, are errors in any case.
    public var allowsUncleanEnd: Bool {
        get { options.allowsUncleanEnd }
        set { set(.allowsUncleanEnd) { $0.allowsUncleanEnd = newValue } }
    }

    package var rates: TransferRates { options.rates }

    /// Bytes of the body a second that must come at least, on average over each ``minimumReceiveRateWindow``; nil, the default, for
    /// any. A slower transfer ends with `timeoutRate`, also one that the idle timeout does not see since a byte comes now and then.
    /// Bytes count as transferred; time in which nothing is read because of ``maximumReceiveRate`` does not count.
    public var minimumReceiveRate: Int? {
        let rate = options.timeouts.minimumRate.bytesPerSecond
        return rate == 0 ? nil : rate
    }

    /// The time over which ``minimumReceiveRate`` is measured, anew from the first byte of the body on.
    public var minimumReceiveRateWindow: Duration { .milliseconds(options.timeouts.minimumRate.window) }

    /// - Parameters:
    ///   - rate: bytes per second, at most 2^40; nil or 0 for any.
    ///   - window: from 1 ms to 2,147,483 s.
    /// - Throws: `invalidArgument` for values beyond these.
    public mutating func setMinimumReceiveRate(
        _ rate: Int?, window: Duration = .seconds(30)
    ) throws(NetcoreError) {
        let (seconds, attoseconds) = window.components
        let isOutside = !(0...Int64(TimeoutSet.maximum)).contains(seconds)
        try setMinimumRate(
            bytesPerSecond: rate ?? 0,
            window: isOutside ? .max : Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    }

    /// 0 bytes for any rate; the window in milliseconds.
    package mutating func setMinimumRate(bytesPerSecond: Int, window: Int) throws(NetcoreError) {
        guard (0...MinimumRate.largest).contains(bytesPerSecond) else {
            throw NetcoreError(.invalidArgument, argument: "bytes_per_second", "must be from 0 to 2^40")
        }
        guard (1...TimeoutSet.maximum).contains(window) else {
            throw NetcoreError(.invalidArgument, argument: "window_ms", "must be from 1 to \(TimeoutSet.maximum)")
        }
        set(.minimumRate) {
            $0.timeouts.minimumRate.bytesPerSecond = bytesPerSecond
            $0.timeouts.minimumRate.window = window
        }
    }

    /// The shortest time between two reports of progress; nil, the default, for none at all. A last one follows when the answer is
    /// whole: all bytes have come. A negative one is an error of the dispatch.
    public var progressInterval: Duration? {
        get { options.progressInterval.map { .milliseconds($0) } }
        set {
            let milliseconds = newValue.map { duration in
                guard duration >= .zero else { return -1 }
                let (seconds, attoseconds) = duration.components
                return seconds < 1 << 40
                    ? Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000) : Int.max / 1000
            }
            setProgressInterval(milliseconds: milliseconds)
        }
    }

    package mutating func setProgressInterval(milliseconds: Int?) {
        set(.progressInterval) { $0.progressInterval = milliseconds }
    }

    /// What the caller likes to find again in the response.
    public var userInfo: (any Sendable)? {
        get { options.userInfo?.value }
        set { options.userInfo = newValue.map { UserInfo($0) } }
    }

    /// What its tasks belong to; nil for none, and once the scope is gone.
    public var taskScope: TaskScope? {
        get { options.taskScope?.living }
        set { options.taskScope = newValue?.members }
    }

    /// The network interface that the request may use; nil for any. Its connections come from it.
    public var allowedInterface: String? { options.network.interface }

    public mutating func setAllowedInterface(_ name: String?) throws(NetcoreError) {
        guard name.map({ !$0.isEmpty && !$0.utf8.contains(0) }) ?? true else {
            throw NetcoreError(.invalidArgument, argument: "interface", "must not be empty or contain a NUL byte")
        }
        set(.interface) { $0.network.interface = name }
    }

    /// Whether the request may use a network that is metered; on by default.
    public var allowsMetered: Bool {
        get { options.network.allowsMetered }
        set { set(.allowsMetered) { $0.network.allowsMetered = newValue } }
    }
}

/// What a request demands of the network.
package struct NetworkConstraints: Sendable {
    package var interface: String?
    package var allowsMetered = true
}

extension Client {
    /// The network at hand, as the host knows it.
    public struct NetworkState: Sendable, Hashable {
        /// The name of the interface in use, such as "wlan0"; nil when it is not known, which allows any.
        public var interface: String?
        /// Whether bytes cost money.
        public var isMetered: Bool

        public init(interface: String? = nil, isMetered: Bool = false) {
            self.interface = interface
            self.isMetered = isMetered
        }

        /// Why a request may not use it.
        func judge(_ wants: NetworkConstraints) -> NetcoreError? {
            if isMetered, !wants.allowsMetered {
                return NetcoreError(
                    .networkMetered, "the network is metered, and the request does not allow that", phase: .queue)
            }
            if let wanted = wants.interface, let interface, wanted != interface {
                return NetcoreError(
                    .networkInterface, "the network is \(interface), and the request allows only \(wanted)",
                    phase: .queue)
            }
            return nil
        }
    }

    /// Tells the client of the network at hand; nil, as at the beginning, when it is not known. Requests are checked against it when they
    /// are about to be sent; what the cache answers needs no network.
    public func setNetworkState(_ state: NetworkState?) throws(NetcoreError) {
        let isOther = engine.parts.settings.network?.interface != state?.interface
        try change { $0.network = state }
        if isOther { engine.parts.alternatives?.noteOtherNetwork() }
    }
}
