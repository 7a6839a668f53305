internal import CCurl
internal import NetcoreHTTP
internal import NetcoreSupport

/// What comes: header lines and bytes of the body.
extension Transfer {
    /// A header line that libcurl has not kept yet, or bytes of the body. Returns what libcurl takes for an answer.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard hasWholeHead else { return checkHeader(bytes) ? bytes.count : 0 }
        // libcurl may have more at hand, by HTTP/2, than the pause was told of: it keeps it until the pause ends.
        guard !isReceivePaused, !isSinkFull else { return Int(CURL_WRITEFUNC_PAUSE) }
        return receiveBody(bytes) ? bytes.count : 0
    }

    /// A header line before libcurl keeps it. libcurl 7.88 appends a line that begins with white space to the last field that the
    /// handle received, which is one of an earlier answer and was freed, where the section has none before it. Returns false to
    /// end the transfer.
    private func checkHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        let isContinued = isMidLine
        isMidLine = line.last != 0x0A  // libcurl hands over 16 KiB at a time
        guard let first = line.first, Syntax.isWhitespace(first), !isContinued, isBetweenSections else { return true }
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
        if isFirst {
            firstByte = .now
            handler?.transferDid(.receives)
        }
        enter(.receiving)
        do throws(NetcoreError) {
            switch try head.consume(line) {
            case .more:
                if isFirst, isForeignAnswer() {
                    resending.isAnswerForeign = true
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
            if head.version >= 20, !resending.wasMultiplexed { host?.misnamesHTTP2 = true }
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
            guard bodyUse.isJudged else { return bodyUse = .dropped }
            throw bodyTooLarge()
        }
        if length == nil, !head.isChunked, wire.url.isSecure, head.version < 20 { watchClose() }
        // The parser is asked only where there are some: asking copies it.
        let codings = wire.decodesContent && !head.codings.isEmpty ? try head.decodableCodings() : []
        if !codings.isEmpty {
            decoder = try BodyDecoder(codings, limits: limits, allowsUncleanEnd: wire.manner.allowsUncleanEnd)
        }
        sink = try makeSink(length)
        handler?.transferDidProgress(received: 0, expected: length ?? -1, sent: sentBodyBytes)
    }

    private func makeSink(_ length: Int?) throws(NetcoreError) -> any BodySink {
        if bodyUse == .streamed {
            if !mayComeAgain, let stream = handler?.transferDidReceiveHead(known()) { return stream }
            bodyUse = .delivered
        }
        let body = ByteBuffer()
        if decoder == nil, let length, length > 0 {
            guard body.reserve(min(length, Self.largestReserve)) else {
                throw NetcoreError(.outOfMemory, phase: .receive)
            }
        }
        return body
    }

    /// Whether another answer may follow this one, by the decision of libcurl or of the transport: it is shown when it has ended.
    private var mayComeAgain: Bool {
        switch head.status {
        case 401: wire?.credentials?.isNegotiated ?? false
        case 407, 408, 417: true
        default: false
        }
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
        // Before who reads them can see the bytes.
        handler?.transferDidProgress(
            received: receivedBodyBytes, expected: head.isChunked ? -1 : head.contentLength ?? -1,
            sent: sentBodyBytes)
        do throws(NetcoreError) {
            guard let sink else {
                throw NetcoreError(.protocol, "a body came with a response that cannot have one", phase: .receive)
            }
            guard receivedBodyBytes <= limits.bodyBytes else { throw bodyTooLarge() }
            try store(bytes, in: sink)
        } catch {
            guard bodyUse.isJudged else {
                dropBody()
                abandonStream()
                return false
            }
            fail(error)
            return false
        }
        paceReceiving()
        return true
    }

    private func store(_ bytes: UnsafeRawBufferPointer, in sink: any BodySink) throws(NetcoreError) {
        let flow: BodyFlow =
            if let decoder {
                try decoder.decode(bytes, into: sink) { () throws(NetcoreError) in try endIfLate() }
            } else {
                try sink.take(bytes)
            }
        transport.noteFed(self)
        switch flow {
        case .more: break
        case .enough: endReading()
        case .full: sinkIsFull()
        }
    }

    /// The body is damaged, too large or too slow, and not for the application.
    func dropBody() {
        bodyUse = .dropped
        sink = nil
        decoder = nil
    }

    /// Ends long work on what came in one piece where the task has ended meanwhile.
    func endIfLate() throws(NetcoreError) {
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
}
