internal import CCurl
internal import NetcoreHTTP
internal import NetcoreSupport

/// The request's body.
extension Transfer {
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
        if isAll { handler?.transferDid(.sent(sentBodyBytes)) }
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
}
