internal import CCurl
internal import NetcoreSupport

/// Transfers that wait for a while: their body is still being read, or they were too fast.
extension CurlTransport {
    func makeFeed(_ body: StreamedBody, for transfer: Transfer) -> BodyFeed {
        BodyFeed(body) { [post, index = transfer.index] feed in
            post { transport in
                let transfer = transport.transfers[index]
                if transfer.feed === feed { transport.resume(transfer) }
            }
        }
    }

    /// Tells libcurl which directions of a transfer are paused. What it kept for the time after a pause comes at once; where that is an error,
    /// libcurl tells only the caller, and does not end the transfer.
    func applyPauses(of transfer: Transfer) {
        let code = curl_easy_pause(transfer.easy, transfer.pauses)
        guard code != CURLE_OK, code != CURLE_BAD_FUNCTION_ARGUMENT else { return }  // no connection yet
        transfer.resumeFailure = code
        failing.append(transfer)
    }

    /// More of the body may go.
    func resume(_ transfer: Transfer) {
        guard transfer.isSendPaused, transfer.sendDue == nil, transfer.shard != nil else { return }
        transfer.isSendPaused = false
        applyPauses(of: transfer)
    }

    /// Goes on with a transfer that was too fast.
    func resume(_ transfer: Transfer, at time: MonotonicTime) {
        transfer.resumptions.append(resumptions.add(transfer, at: time))
    }

    func forgetResumption(of transfer: Transfer) {
        transfer.sendDue = nil
        transfer.receiveDue = nil
        guard !transfer.resumptions.isEmpty else { return }
        transfer.resumptions.forEach { resumptions.remove($0) }
        transfer.resumptions.removeAll(keepingCapacity: true)
    }

    func resumeDue() {
        while let object = resumptions.popDue(now) {
            guard let transfer = object as? Transfer, transfer.shard != nil else { continue }
            if let due = transfer.sendDue, due <= now {
                transfer.sendDue = nil
                transfer.isSendPaused = false
            }
            if let due = transfer.receiveDue, due <= now {
                transfer.receiveDue = nil
                transfer.isReceivePaused = false
            }
            if transfer.sendDue == nil, transfer.receiveDue == nil {
                transfer.resumptions.removeAll(keepingCapacity: true)
            }
            applyPauses(of: transfer)
        }
    }

    /// libcurl 7.88 takes an answer for the end only once no pause is left: it is lifted after each event.
    func noteRefusal(_ transfer: Transfer) {
        refused.append(transfer)
        transfer.sendDue = nil
        resumeSoon(transfer)
    }

    func forgetRefusal(_ transfer: Transfer) {
        if !refused.isEmpty { refused.removeAll { $0 === transfer } }
    }

    /// For callbacks of libcurl's, in which nothing may be resumed.
    func resumeSoon(_ transfer: Transfer) {
        post { [index = transfer.index] transport in transport.resume(transport.transfers[index]) }
    }
}
