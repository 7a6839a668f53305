internal import CCurl
internal import CLinux
internal import Glibc
internal import NetcoreHTTP
package import NetcoreSupport

/// The loop's turns: timers of libcurl, events of sockets, hops that ended.
extension CurlTransport {
    /// Does all that can be done now: timers of libcurl, hops that ended, deadlines. Handlers are called only from here.
    package func drive() {
        now = .now
        bury()
        var isBusy = true
        while isBusy {
            resumeDue()
            // What has ended gives its connection back first: a new request may take it.
            isBusy = readMessages()
            actOnTimers()
            if readMessages() { isBusy = true }
            if endLate() { isBusy = true }
            if endStillborn() { isBusy = true }
            if endFailing() { isBusy = true }
            flushAbandonedStreams()
            // A handler may have canceled others.
            bury()
            if shardDeadlines.next <= now { isBusy = true }
        }
        closedSessions.removeAll(keepingCapacity: true)
        showFed()
    }

    /// A stream got bytes; who reads it is woken once in a turn, since libcurl hands over 16 KiB at a time.
    func noteFed(_ transfer: Transfer) {
        guard !transfer.isFed, transfer.bodyUse == .streamed else { return }
        transfer.isFed = true
        fed.append(transfer)
    }

    private func showFed() {
        guard !fed.isEmpty else { return }
        for transfer in fed {
            transfer.isFed = false
            transfer.sink?.show()
        }
        fed.removeAll(keepingCapacity: true)
    }

    /// Whether the HTTP/2 connection of a TLS session ended in this turn.
    func hasClosed(_ session: TLSSession) -> Bool { closedSessions.contains(session) }

    private func actOnTimers() {
        while let entry = shardDeadlines.popDue(now) {
            let shard = shards[entry.id]
            guard shard.scheduled == entry.time else { continue }
            shard.scheduled = .never
            guard shard.deadline <= now else {
                schedule(shard)
                continue
            }
            shard.deadline = .never
            shard.act(CURL_SOCKET_TIMEOUT, 0)
        }
    }

    /// Enters a shard's deadline, unless the heap will look at it before then anyway.
    func schedule(_ shard: Shard) {
        guard shard.deadline < shard.scheduled else { return }
        shard.scheduled = shard.deadline
        shardDeadlines.insert(DeadlineHeap.Entry(time: shard.deadline, id: shard.index))
    }

    func noteMessages(of shard: Shard) {
        guard !shard.mayHaveMessages else { return }
        shard.mayHaveMessages = true
        spoken.append(shard)
    }

    /// When ``drive()`` has something to do without an event.
    package var nextDeadline: MonotonicTime {
        guard failing.isEmpty, stillborn.isEmpty else { return now }
        return min(deadlines.next, shardDeadlines.next, resumptions.next)
    }

    package func socketReady(_ descriptor: Int32, _ events: UInt32) {
        guard let shard = sockets.shard(for: descriptor) else { return }
        var mask: Int32 = 0
        if events & (EPOLLIN.rawValue | EPOLLHUP.rawValue) != 0 { mask |= CURL_CSELECT_IN }
        if events & EPOLLOUT.rawValue != 0 { mask |= CURL_CSELECT_OUT }
        if events & EPOLLERR.rawValue != 0 { mask |= CURL_CSELECT_ERR }
        activeSocket = descriptor
        shard.act(descriptor, mask)
        activeSocket = -1
        for transfer in refused { resume(transfer) }
    }

    /// Whether there is something to be read, or an end, at the socket that libcurl acts on. It knows what epoll said a while ago;
    /// where it acts without an event, it asks the system itself.
    var hasInput: Bool {
        guard activeSocket >= 0 else { return false }
        var byte: UInt8 = 0
        return recv(activeSocket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) >= 0 || errno != EAGAIN
    }

    /// The thread has woken: the time has moved on.
    package func beginTurn() { now = .now }

    /// The thread is going to wait, or to leave.
    package func endTurn() {
        shield.lower()
        if !readOver.isEmpty { readOn() }
    }

    /// Lets those go on that read no more in this turn.
    private func readOn() {
        for transfer in readOver where transfer.isReadingOver {
            transfer.isReadingOver = false
            if transfer.shard != nil { applyPauses(of: transfer) }
        }
        readOver.removeAll(keepingCapacity: true)
    }

    private func readMessages() -> Bool {
        var hasRead = false
        while let shard = spoken.popLast() {
            shard.mayHaveMessages = false
            if readMessages(shard) { hasRead = true }
        }
        return hasRead
    }

    private func readMessages(_ shard: Shard) -> Bool {
        var left: Int32 = 0
        var hasRead = false
        while let message = curl_multi_info_read(shard.multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
                let context = netcore_getinfo_pointer(easy)
            else { continue }
            hasRead = true
            let code = netcore_message_result(message)
            end(Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue(), code)
        }
        return hasRead
    }

    private func endStillborn() -> Bool {
        guard !stillborn.isEmpty else { return false }
        let ended = stillborn
        stillborn = []
        for hop in ended { hop.end() }
        return true
    }

    private func endFailing() -> Bool {
        guard !failing.isEmpty else { return false }
        let ended = failing
        failing = []
        // One that has begun anew in the meantime has no failure.
        for transfer in ended {
            if let code = transfer.resumeFailure {
                end(transfer, code)
            } else if transfer.failure != nil {
                end(transfer, CURLE_ABORTED_BY_CALLBACK)
            }
        }
        return true
    }

    // MARK: Abandoned HTTP/2 streams

    func noteAbandonedStream(of host: Host) {
        guard !host.hasAbandonedStreams else { return }
        host.hasAbandonedStreams = true
        abandoning.append(host)
    }

    /// Makes libcurl send what it keeps back on connections that other streams still use: lifting a pause does.
    private func flushAbandonedStreams() {
        guard !abandoning.isEmpty else { return }
        for transfer in transfers where transfer.host?.hasAbandonedStreams ?? false {
            curl_easy_pause(transfer.easy, CURLPAUSE_RECV | transfer.pauses)
            curl_easy_pause(transfer.easy, transfer.pauses)
        }
        for host in abandoning { host.hasAbandonedStreams = false }
        abandoning.removeAll()
    }

    // MARK: Deadlines

    /// Enters a transfer's next deadline, unless the heap will look at it before then anyway.
    func schedule(_ transfer: Transfer) {
        guard let wire = transfer.wire else { return }
        let deadline = transfer.hopTime.deadline(wire.timeouts).time
        guard deadline < transfer.scheduled else { return }
        transfer.scheduled = deadline
        deadlines.insert(DeadlineHeap.Entry(time: deadline, id: transfer.index))
    }

    private func endLate() -> Bool {
        var hasEnded = false
        while let entry = deadlines.popDue(now) {
            let transfer = transfers[entry.id]
            guard transfer.scheduled == entry.time else { continue }
            transfer.scheduled = .never
            guard let wire = transfer.wire, transfer.handler != nil else { continue }
            if !transfer.isSinkFull { transfer.hopTime.rateWindow.advance(to: now, wire.timeouts.minimumRate) }
            let (time, code) = transfer.hopTime.deadline(wire.timeouts)
            guard time <= now else {
                schedule(transfer)
                continue
            }
            if !transfer.bodyUse.isJudged, code != .timeoutTotal {
                transfer.dropBody()
                transfer.abandonStream()
                end(transfer, CURLE_OK)
                continue
            }
            transfer.fail(NetcoreError(code, "\(code.summary): \(wire.url.display)", phase: transfer.phase))
            end(transfer, CURLE_OPERATION_TIMEDOUT)
            hasEnded = true
        }
        return hasEnded
    }
}
