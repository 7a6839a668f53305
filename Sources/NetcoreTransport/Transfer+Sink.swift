internal import CCurl
internal import NetcoreHTTP
internal import NetcoreSupport

/// A body whose sink is full: the transfer is paused until the sink takes more. That time counts for the total timeout only.
extension Transfer {
    /// Within a callback of libcurl's.
    func sinkIsFull() {
        isSinkFull = true
        hopTime.pausedSince = transport.now
        curl_easy_pause(easy, pauses)
    }

    /// libcurl would read on until there is no more: what it has at hand comes, and no more in this turn. Within a callback of libcurl's.
    ///
    /// Only where it has one piece at hand, since it would keep others, and where the pause is known to nobody else.
    func endReading() {
        guard transport.isReading, !isReadingOver, decoder == nil, !head.isChunked, head.version < 20, wire?.body == nil
        else { return }
        isReadingOver = true
        transport.readOver.append(self)
        curl_easy_pause(easy, pauses)
    }

    /// Whether the end that libcurl came to has to wait: what it was given last is not all decoded. The connection is free for others.
    func waitsForSink(_ code: CURLcode) -> Bool {
        guard isSinkFull, decoder != nil, failure == nil else { return false }
        undrainedEnd = code
        transport.releaseSocket(of: self)
        return true
    }

    func resumeReceiving() {
        guard isSinkFull, failure == nil, shard != nil, let sink else { return }
        do throws(NetcoreError) {
            if let decoder {
                let flow = try decoder.drain(into: sink) { () throws(NetcoreError) in try endIfLate() }
                transport.noteFed(self)
                if flow == .full { return }
            }
        } catch {
            isSinkFull = false
            fail(error)
            transport.failing.append(self)
            return
        }
        isSinkFull = false
        hopTime.resume(.now)
        if let code = undrainedEnd {
            undrainedEnd = nil
            return transport.end(self, code)
        }
        transport.applyPauses(of: self)
        transport.schedule(self)
    }
}
