/// A hop's way over one connection after another, and whether it goes out again by the transport's own decision (RFC 9110 section
/// 9.2.2): a pure rule. Made anew with each hop.
struct Resending {
    /// How a try ended.
    struct End {
        enum Kind {
            /// An answer came to its end.
            case answered
            /// The request could not be sent.
            case unsent
            /// What came is no answer that libcurl can read.
            case unreadable
            /// The connection ended under the streams that it carried.
            case streamsEnded
            case other
        }

        var kind = Kind.other
        /// Of an answer, 0 for none.
        var status = 0
        /// A byte of an answer came.
        var hasFirstByte = false
        /// The connection was there before.
        var isOnKept = false
        /// The answer says that the server waited in vain for a request, and closes.
        var hasTimedOutIdle = false
        /// The body came to its end as the connection did, and nothing confirms the one without the other.
        var endedWithConnection = false
    }

    enum Decision {
        case no
        case again
        /// Not on a connection that is there.
        case againFresh
    }

    /// A hop goes out on so many connections at most.
    static let mostConnects = 5

    let isIdempotent: Bool
    /// It never goes out twice by the transport's own decision.
    let isSentOnce: Bool
    /// Connections on which the request began to go out.
    private(set) var connects = 0
    /// Whether the last connection was one of HTTP/2.
    private(set) var wasMultiplexed = false
    /// Whether it was opened for this request.
    private(set) var wasFresh = false
    /// Bytes of requests that libcurl had sent before the last connection was there.
    private(set) var requestSizeBefore = 0
    /// The connection must not carry the request: it is closed, and the request goes on another.
    var isConnectionUnfit = false
    /// The connection, which the transfer has for itself, has carried another request before.
    var isReused = false
    /// What came as the answer was sent before the server had the request.
    var isAnswerForeign = false
    /// The same, of what came before libcurl closed the connection.
    var wasForeignAtClose = false
    /// The answer ended with its connection, and was asked for once more.
    private var wasDoubted = false

    init(isIdempotent: Bool = false, isSentOnce: Bool = false) {
        self.isIdempotent = isIdempotent
        self.isSentOnce = isSentOnce
    }

    /// Whether a request that libcurl is about to send on another connection may go a second time: one that is not idempotent goes only
    /// if nothing of it was sent, or if the server refused the stream.
    ///
    /// - Parameter requestSize: bytes of requests that libcurl has sent by now.
    func mayGoOn(hasFirstByte: Bool, requestSize: Int) -> Bool {
        guard connects > 0, !hasFirstByte else { return true }
        if isSentOnce { return false }
        if requestSize <= requestSizeBefore || isIdempotent { return true }
        // On a connection of its own libcurl 7.88 sends a stream again for this reason only (REFUSED_STREAM; also what a GOAWAY
        // leaves out). On a kept one it does so for lost ones too, and does not say which it was.
        return wasMultiplexed && wasFresh
    }

    /// libcurl has another connection, which is to be checked.
    mutating func check() {
        isReused = false
        wasForeignAtClose = false
    }

    /// The request goes out on it.
    mutating func begin(isMultiplexed: Bool, isFresh: Bool, requestSize: Int) {
        connects += 1
        wasMultiplexed = isMultiplexed
        wasFresh = isFresh
        requestSizeBefore = requestSize
    }

    /// Whether a hop that libcurl gave up, or took for ended, begins anew.
    mutating func decide(_ end: End) -> Decision {
        if isConnectionUnfit { return freshOrNot }
        if wasForeignAtClose, end.kind == .unsent || end.kind == .unreadable { isAnswerForeign = true }
        guard !isSentOnce, connects < Self.mostConnects else { return .no }
        if isAnswerForeign { return end.status == 408 || isIdempotent ? .againFresh : .no }
        if end.kind == .answered, end.endedWithConnection, isIdempotent, !wasDoubted {
            wasDoubted = true
            return .againFresh
        }
        guard connects > 0, end.isOnKept else { return .no }
        let isLost = !end.hasFirstByte && isIdempotent && (end.kind == .unsent || end.kind == .streamsEnded)
        return isLost || end.kind == .answered && end.hasTimedOutIdle ? freshOrNot : .no
    }

    /// Who met two dead connections looks for no third.
    private var freshOrNot: Decision { isAnswerForeign || connects > 1 ? .againFresh : .again }

    /// The hop begins anew.
    mutating func restart() {
        isConnectionUnfit = false
        isAnswerForeign = false
        wasForeignAtClose = false
        requestSizeBefore = 0
    }
}
