internal import CCurl
internal import Glibc
internal import NetcoreHTTP
internal import NetcoreSupport

/// An easy handle and the hop it is busy with. Handles are kept and used again, for hop after hop.
final class Transfer {
    private(set) var easy: UnsafeMutableRawPointer
    /// Its place in the transport's list, and its number in the heap of deadlines.
    let index: Int
    unowned(unsafe) let transport: CurlTransport  // it owns this
    /// What the handle was last set to.
    var applied = AppliedOptions()
    /// The earliest time at which the heap of deadlines has this transfer.
    var scheduled = MonotonicTime.never

    /// Why the handle cannot be used: it lacks an option.
    var optionFailure: NetcoreError?
    /// libcurl has sent a request again that must not go: it counts for its limit on such.
    var isSpent = false

    /// The hop. Nil while the handle rests.
    var wire: WireRequest?
    var handler: (any TransferHandler)?
    var host: Host?
    var shard: Shard?
    var limits = Limits()
    var hopTime = HopTime(start: .never, taskStart: .never)
    var head = HeadParser()
    /// Where the body goes.
    var sink: (any BodySink)?
    /// It takes no more for now.
    var isSinkFull = false
    /// Until the end of this turn of the loop.
    var isReadingOver = false
    /// It is among those whose streams got bytes in this turn.
    var isFed = false
    /// What libcurl ended with, while decoded bytes wait for room in the sink.
    var undrainedEnd: CURLcode?
    /// What libcurl made of the bytes that it had kept during a pause.
    var resumeFailure: CURLcode?
    var decoder: BodyDecoder?
    var isMidLine = false
    /// What becomes of the body. One that is dropped is read only for the connection's sake, and not checked.
    var bodyUse = BodyUse.delivered
    /// Why netcore itself ends the hop; wins over what libcurl says.
    var failure: NetcoreError?
    var receivedBodyBytes = 0
    var sentBodyBytes = 0
    /// Reads the request's body, where it is streamed.
    var feed: BodyFeed?
    /// libcurl asks for no more of the body until it is told that there is more.
    var isSendPaused = false
    /// What was in the socket when libcurl closed it.
    var leftover: ByteBuffer?
    /// libcurl reads no more of the answer until it is told to.
    var isReceivePaused = false
    /// When the bodies began to move.
    var sendStart: MonotonicTime?
    var receiveStart: MonotonicTime?
    /// When they may go on, where they were too fast; and the transport's numbers for that.
    var sendDue: MonotonicTime?
    var receiveDue: MonotonicTime?
    var resumptions: [Int] = []
    /// The connection that the transfer uses, where it has it for itself; else the last descriptor it waited for, or -1.
    var socket: Int32 = -1
    /// Its tries on the wire.
    var resending = Resending()
    /// The TLS session of the connection, where that speaks HTTP/2.
    var session: TLSSession?
    var requestStart = MonotonicTime.never
    var firstByte = MonotonicTime.never
    let errorText: UnsafeMutablePointer<CChar>
    /// 1 once the peer's close_notify came, where the end of the body is the end of the TLS stream.
    let closeNotify: UnsafeMutablePointer<UInt8>
    var needsCloseNotify = false
    /// What leads the connection to an alternative service, and the Alt-Used field that says so; as libcurl takes them.
    var connectTo: UnsafeMutablePointer<curl_slist>?
    var altUsed: UnsafeMutablePointer<curl_slist>?

    init?(index: Int, transport: CurlTransport) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        self.index = index
        self.transport = transport
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText[0] = 0
        closeNotify = .allocate(capacity: 1)
        closeNotify.pointee = 0
    }

    deinit {
        curl_easy_cleanup(easy)
        freeAlternative()
        errorText.deallocate()
        closeNotify.deallocate()
    }

    func begin(_ wire: WireRequest, host: Host, limits: Limits, taskStart: MonotonicTime) {
        self.wire = wire
        self.host = host
        self.limits = limits
        hopTime = HopTime(start: transport.now, taskStart: taskStart)
        resending = Resending(isIdempotent: wire.isIdempotent, isSentOnce: wire.manner.isSentOnce)
        head.begin(limit: limits.headerBytes)
        sink = nil
        decoder = nil
        bodyUse = .delivered
        failure = nil
        receivedBodyBytes = 0
        sentBodyBytes = 0
        socket = -1
        isSpent = false
        isMidLine = false
        session = nil
        requestStart = .never
        firstByte = .never
        needsCloseNotify = false
        errorText[0] = 0
        isSendPaused = false
        isReceivePaused = false
        isSinkFull = false
        isReadingOver = false
        undrainedEnd = nil
        resumeFailure = nil
        sendStart = nil
        receiveStart = nil
        if case .streamed(let body) = wire.body, body.length != 0 { feed = transport.makeFeed(body, for: self) }
    }

    /// Takes an easy handle as new: libcurl 7.88 has things it never forgets.
    func replaceEasy() {
        guard let new = curl_easy_init() else { return curl_easy_reset(easy) }
        curl_easy_cleanup(easy)
        easy = new
    }

    /// Releases the hop.
    func rest() {
        feed?.cancel()
        feed = nil
        if case .streamed = wire?.body { forgetRequest() }
        transport.forgetResumption(of: self)
        wire = nil
        handler = nil
        host = nil
        shard = nil
        sink = nil
        decoder = nil
        leftover = nil
        head.begin(limit: 0)
    }

    /// Decides the hop's end before libcurl does.
    func fail(_ error: NetcoreError) {
        failure = error
        abandonStream()
    }

    /// The hop ends before its end. libcurl 7.88 keeps the RST_STREAM of an HTTP/2 stream to itself until the connection
    /// is used again: let it close a connection that no other stream uses, and have the rest flushed.
    func abandonStream() {
        guard let host, host.speaksHTTP2 == true else { return }
        note(netcore_setopt_long(easy, CURLOPT_FORBID_REUSE, 1))
        applied.forbidsReuse = true
        transport.noteAbandonedStream(of: host)
    }

    // MARK: What libcurl calls

    /// The request goes out.
    func connectionDidBegin() {
        requestStart = .now
        enter(wire?.body == nil ? .waiting : .sending)
        if let handler, handler.isObserved { reportConnection(to: handler) }
    }

    /// Which directions of the transfer are paused, as libcurl takes it.
    var pauses: Int32 {
        guard isReceivePaused || isSinkFull || isReadingOver else { return isSendPaused ? CURLPAUSE_SEND : 0 }
        // libcurl 7.88 reads once more after a pause, and copies what comes, unless both directions are paused.
        let hasSent = wire?.body == nil && head.version < 20
        return CURLPAUSE_RECV | (isSendPaused || hasSent ? CURLPAUSE_SEND : 0)
    }

    func enter(_ step: HopTime.Step) {
        hopTime.lastActivity = transport.now
        guard hopTime.step.rawValue != step.rawValue else { return }
        hopTime.step = step
        transport.schedule(self)
    }

    var phase: NetcoreError.Phase {
        switch hopTime.step {
        case .connecting: .connect
        case .sending: .send
        case .waiting: .wait
        case .receiving: .receive
        }
    }
}
