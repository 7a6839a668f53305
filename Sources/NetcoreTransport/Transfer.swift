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
    var body: ByteBuffer?
    var decoder: BodyDecoder?
    private var isMidLine = false
    /// What becomes of the body. One that is dropped is read only for the connection's sake, and not judged.
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
    private var sendStart: MonotonicTime?
    private var receiveStart: MonotonicTime?
    /// When they may go on, where they were too fast; and the transport's numbers for that.
    var sendDue: MonotonicTime?
    var receiveDue: MonotonicTime?
    var resumptions: [Int] = []
    /// Connections on which the request began to go out.
    var connects = 0
    /// The connection that the transfer uses, where it has it for itself; else the last descriptor it waited for, or -1.
    var socket: Int32 = -1
    /// The connection must not carry the request: it is closed, and the request goes on another.
    var isConnectionUnfit = false
    /// The connection, which the transfer has for itself, has carried another request before.
    var isReused = false
    /// What came as the answer was sent before the server had the request.
    var isAnswerForeign = false
    /// The same, of what came before libcurl closed the connection.
    var wasForeignAtClose = false
    /// Whether the last connection was one of HTTP/2.
    var wasMultiplexed = false
    /// Whether it was opened for this request.
    var wasFresh = false
    /// The TLS session of that connection.
    var session: TLSSession?
    /// The answer ended with its connection, and was asked for once more.
    private var wasDoubted = false
    /// Bytes of requests that libcurl had sent before the last connection was there.
    var requestSizeBefore = 0
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
        head.begin(limit: limits.headerBytes)
        body = nil
        decoder = nil
        bodyUse = .delivered
        failure = nil
        receivedBodyBytes = 0
        sentBodyBytes = 0
        connects = 0
        socket = -1
        isConnectionUnfit = false
        isReused = false
        isAnswerForeign = false
        wasForeignAtClose = false
        isSpent = false
        isMidLine = false
        wasFresh = false
        session = nil
        wasDoubted = false
        wasMultiplexed = false
        requestSizeBefore = 0
        requestStart = .never
        firstByte = .never
        needsCloseNotify = false
        errorText[0] = 0
        isSendPaused = false
        isReceivePaused = false
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

    /// Lets go of the hop.
    func rest() {
        feed?.cancel()
        feed = nil
        if case .streamed = wire?.body { forgetRequest() }
        transport.forgetResumption(of: self)
        wire = nil
        handler = nil
        host = nil
        shard = nil
        body = nil
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
    }

    /// libcurl sends the request again: behind a 401 or 417 that it answers itself, or on another connection.
    func beginAgain() {
        if head.status == 401, let fields = head.fields { handler?.transferDidReceiveChallenge(fields) }
        head.begin(limit: limits.headerBytes)
        body = nil
        decoder = nil
        bodyUse = .delivered
        receivedBodyBytes = 0
        firstByte = .never
        needsCloseNotify = false
        isSendPaused = false
        isReceivePaused = false
        sendStart = nil
        transport.forgetRefusal(self)
    }

    /// A header line before libcurl keeps it. libcurl 7.88 appends a line that begins with white space to the last field that the
    /// handle received, which is one of an earlier answer and was freed, where the section has none before it. Returns false to
    /// end the transfer.
    func checkHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        let isContinued = isMidLine
        isMidLine = line.last != 0x0A  // libcurl hands over 16 KiB at a time
        guard !isContinued, isBetweenSections, let first = line.first, Syntax.isWhitespace(first) else { return true }
        fail(NetcoreError(.protocol, "a header section begins with white space", phase: .receive))
        return false
    }

    // Of the parser's stored properties: a call of one of its functions copies it all, which costs more than a header line.

    var hasWholeHead: Bool { if case .trailers = head.state { true } else { false } }

    /// Whether no field of a header section has come yet.
    private var isBetweenSections: Bool {
        switch head.state {
        case .statusLine: true
        case .fields: head.fields == nil
        case .trailers: false
        }
    }

    /// A whole header line. Returns false to end the transfer.
    func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        let isFirst = firstByte == .never
        if isFirst { firstByte = .now }
        enter(.receiving)
        do throws(NetcoreError) {
            switch try head.consume(line) {
            case .more:
                if isFirst, isForeignAnswer() {
                    isAnswerForeign = true
                    return false
                }
            case .interim(let status, let fields): handler?.transferDidReceiveInterim(status: status, fields)
            case .head: try headIsWhole()
            }
            return true
        } catch {
            if bodyUse == .kept {
                dropBody()
                return true
            }
            if head.version >= 20, !wasMultiplexed { host?.misnamesHTTP2 = true }
            fail(error)
            return false
        }
    }

    private func headIsWhole() throws(NetcoreError) {
        if head.status >= 300, let body = wire?.body, sentBodyBytes != body.length { transport.noteRefusal(self) }
        guard let wire, HeadParser.hasBody(status: head.status, method: wire.method) else { return }
        if head.isChunked, head.contentLength != nil {
            // Two framings: chunked rules, and the connection is not to be trusted again (RFC 9112 section 6.3).
            note(netcore_setopt_long(easy, CURLOPT_FORBID_REUSE, 1))
            applied.forbidsReuse = true
        }
        let length = head.isChunked ? nil : head.contentLength
        bodyUse = handler?.transferUse(ofBody: head.status, head.fields) ?? .delivered
        if bodyUse == .dropped { return }
        if let length, length > limits.bodyBytes {
            guard bodyUse == .delivered else { return bodyUse = .dropped }
            throw bodyTooLarge()
        }
        if length == nil, !head.isChunked, wire.url.isSecure, head.version < 20 { watchClose() }
        let codings = wire.decodesContent ? try head.decodableCodings() : []
        let body = ByteBuffer()
        self.body = body
        if !codings.isEmpty {
            decoder = try BodyDecoder(codings, limits: limits, allowsUncleanEnd: wire.manner.allowsUncleanEnd)
        } else if let length, length > 0 {
            guard body.reserve(min(length, Self.largestReserve)) else {
                throw NetcoreError(.outOfMemory, phase: .receive)
            }
        }
        handler?.transferDidProgress(received: 0, expected: length ?? -1, sent: sentBodyBytes)
    }

    private static let mostDropped = 64 << 10

    /// A server's word on the size of a body is believed up to here.
    private static let largestReserve = 64 << 20

    /// The body ends with the TLS stream: only the peer's close_notify says that this is its end.
    private func watchClose() {
        guard let session = TLSSession(of: easy) else { return }
        closeNotify.pointee = 0
        needsCloseNotify = session.watchClose(closeNotify)
    }

    private func bodyTooLarge() -> NetcoreError {
        NetcoreError(.limitBodyBytes, "the body is larger than \(limits.bodyBytes) bytes", phase: .receive)
    }

    /// Bytes of the body. Returns false to end the transfer.
    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        hopTime.lastActivity = transport.now
        receivedBodyBytes += bytes.count
        if let rule = wire?.timeouts.minimumRate, rule.bytesPerSecond > 0,
            hopTime.rateWindow.receive(bytes.count, at: transport.now, rule)
        {
            transport.schedule(self)
        }
        // To read a little more keeps the connection; a lot more costs more than another one.
        if bodyUse == .dropped {
            if receivedBodyBytes <= Self.mostDropped { return true }
            abandonStream()
            return false
        }
        do throws(NetcoreError) {
            guard let body else {
                throw NetcoreError(.protocol, "a body came with a response that cannot have one", phase: .receive)
            }
            guard receivedBodyBytes <= limits.bodyBytes else { throw bodyTooLarge() }
            if let decoder {
                try decoder.decode(bytes, into: body) { () throws(NetcoreError) in try endIfLate() }
            } else if !body.append(bytes) {
                throw NetcoreError(.outOfMemory, phase: .receive)
            }
        } catch {
            guard bodyUse == .delivered else {
                dropBody()
                abandonStream()
                return false
            }
            fail(error)
            return false
        }
        handler?.transferDidProgress(
            received: receivedBodyBytes, expected: head.isChunked ? -1 : head.contentLength ?? -1,
            sent: sentBodyBytes)
        paceReceiving()
        return true
    }

    /// The body is damaged, too large or too slow, and not for the application.
    func dropBody() {
        bodyUse = .dropped
        body = nil
        decoder = nil
    }

    /// Ends long work on what came in one piece where the task has ended meanwhile.
    private func endIfLate() throws(NetcoreError) {
        if handler?.isCanceled ?? false { throw NetcoreError(.canceled, phase: .receive) }
        guard let wire, wire.timeouts.total > 0,
            hopTime.taskStart.adding(milliseconds: wire.timeouts.total) <= .now
        else { return }
        let code = NetcoreError.Code.timeoutTotal
        throw NetcoreError(code, "\(code.summary): \(wire.url.display)", phase: .receive)
    }

    /// Reads no more until it is time for more.
    private func paceReceiving() {
        guard let rate = wire?.manner.rates.receive else { return }
        let now = MonotonicTime.now
        let start = receiveStart ?? now
        receiveStart = start
        let due = TransferRates.due(receivedBodyBytes, rate, since: start)
        guard due > now else { return }
        isReceivePaused = true
        receiveDue = due
        hopTime.lastActivity = due
        hopTime.rateWindow.leaveOut(microseconds: due.microseconds(since: now))
        curl_easy_pause(easy, pauses)
        transport.resume(self, at: due)
    }

    /// What of the transfer stands still, as libcurl takes it.
    var pauses: Int32 { (isReceivePaused ? CURLPAUSE_RECV : 0) | (isSendPaused ? CURLPAUSE_SEND : 0) }

    /// How much of the body may go now; 0 when it is not yet time for more.
    private func paceSending(_ room: Int) -> Int {
        guard let rate = wire?.manner.rates.send else { return room }
        let now = MonotonicTime.now
        let start = sendStart ?? now
        sendStart = start
        let due = TransferRates.due(sentBodyBytes, rate, since: start)
        guard due > now else { return min(room, max(rate / 8, 1 << 10)) }
        sendDue = due
        hopTime.lastActivity = due
        transport.resume(self, at: due)
        return 0
    }

    /// Fills in more of the request's body. Returns the number of bytes, 0 at its end, or what libcurl takes for a pause or an
    /// abort.
    func sendBody(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let body = wire?.body else { return 0 }
        transport.sender = self
        let size = mustListen ? 0 : paceSending(buffer.count)
        guard size > 0 else { return pauseSending() }
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<size])
        if case .bytes(let all) = body { return didSend(copy(all.bytes, into: room), isEnd: false) }
        guard let feed else { return 0 }
        switch feed.take(into: room) {
        case .bytes(let size): return didSend(size, isEnd: false)
        case .end: return didSend(0, isEnd: true)
        case .empty: return pauseSending()
        case .failed(let error):
            fail(error)
            return Int(CURL_READFUNC_ABORT)
        }
    }

    /// Whether the answer comes first. A peer that refuses a body may end the connection, and to send more of it then is an error
    /// for which libcurl would forget the answer.
    private var mustListen: Bool {
        if isRefused { return true }
        guard host?.speaksHTTP2 != true, transport.hasInput else { return false }
        transport.resumeSoon(self)
        return true
    }

    /// Whether the final answer is one to which no more of the body need go. libcurl stops by itself, but not where the connection
    /// ends with the answer. Where it negotiates, it knows best what to send for the answer's sake.
    private var isRefused: Bool {
        hasWholeHead && head.status >= 300 && !(wire?.credentials?.isNegotiated ?? false)
    }

    private func pauseSending() -> Int {
        isSendPaused = true
        return Int(CURL_READFUNC_PAUSE)
    }

    private func copy(_ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> Int {
        let size = min(room.count, bytes.count - sentBodyBytes)
        if size > 0 {
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[sentBodyBytes..<(sentBodyBytes + size)]))
        }
        return size
    }

    private func didSend(_ size: Int, isEnd: Bool) -> Int {
        sentBodyBytes += size
        let isAll = isEnd || sentBodyBytes == wire?.body?.length
        if hopTime.step.rawValue != HopTime.Step.receiving.rawValue { enter(isAll ? .waiting : .sending) }
        handler?.transferDidProgress(received: receivedBodyBytes, expected: -1, sent: sentBodyBytes)
        return size
    }

    /// libcurl sends the body again on another connection.
    func rewindBody(to offset: Int) -> Bool {
        switch wire?.body {
        case .none: return false
        case .bytes(let bytes): guard offset >= 0, offset <= bytes.count else { return false }
        case .streamed:
            guard offset == 0 else { return false }
            if sentBodyBytes > 0 { feed?.restart() }
        }
        sentBodyBytes = offset
        return true
    }

    /// A hop goes out on so many connections at most.
    private static let mostConnects = 5

    /// Whether a hop that libcurl gave up can begin anew.
    func maySendAgain(_ code: CURLcode) -> Bool {
        guard failure == nil else { return false }
        if isConnectionUnfit { return true }
        let mayHaveAnswer = [CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_SEND_ERROR].contains {
            $0 == code
        }
        if wasForeignAtClose, mayHaveAnswer { isAnswerForeign = true }
        if wire?.manner.isSentOnce ?? false { return false }
        guard connects < Self.mostConnects else { return false }
        if isAnswerForeign { return head.status == 408 || (wire?.isIdempotent ?? false) }
        if code == CURLE_OK, endedWithConnection, wire?.isIdempotent ?? false, !wasDoubted {
            wasDoubted = true
            demandFreshConnection()
            return true
        }
        guard connects > 0, netcore_getinfo_long(easy, CURLINFO_NUM_CONNECTS) == 0 else { return false }
        return code == CURLE_OK ? hasTimedOutIdle : isDead(code)
    }

    /// A kept connection turned out to be dead. Where that is so before anything was sent, libcurl takes another one by itself.
    private func isDead(_ code: CURLcode) -> Bool {
        guard firstByte == .never, wire?.isIdempotent ?? false else { return false }
        return code == CURLE_SEND_ERROR || endedStreams(code)
    }

    /// The connection ended under a stream of HTTP/2, by a GOAWAY that leaves it out (for which libcurl 7.88 has no text) or without.
    func endedStreams(_ code: CURLcode) -> Bool {
        guard wasMultiplexed, firstByte == .never else { return false }
        if code == CURLE_HTTP2 { return errorText[0] == 0 }
        return code == CURLE_PARTIAL_FILE && strstr(errorText, "end of the underlying stream") != nil
    }

    /// The server's word that it waited in vain for a request on a kept connection crossed this one: it was not carried out (RFC
    /// 9110 section 15.5.9).
    private var hasTimedOutIdle: Bool {
        guard head.status == 408, !wasMultiplexed, head.closesConnection else { return false }
        if case .streamed = wire?.body { return false }
        return true
    }

    /// The body of an HTTP/2 answer that tells no length came to its end as the connection did. libcurl 7.88 ends all streams well when
    /// the peer breaks the connection, and nothing tells that from a stream that came to its end.
    private var endedWithConnection: Bool {
        guard wasMultiplexed, head.contentLength == nil, head.trailers == nil, bodyUse == .delivered, let session,
            let wire,
            hasWholeHead, HeadParser.hasBody(status: head.status, method: wire.method)
        else { return false }
        return transport.hasClosed(session)
    }

    func sendAgain() {
        if connects > 0 { beginAgain() }
        isConnectionUnfit = false
        if isAnswerForeign || connects > 1 { demandFreshConnection() }
        isAnswerForeign = false
        wasForeignAtClose = false
        requestSizeBefore = 0
        _ = rewindBody(to: 0)
        hopTime = HopTime(start: transport.now, taskStart: hopTime.taskStart)
        isSendPaused = false
        errorText[0] = 0
        transport.schedule(self)
    }

    private func enter(_ step: HopTime.Step) {
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
