internal import NetcoreHTTP
internal import NetcoreTransport

/// What an exchange reports to observers. Without one it is a comparison.
extension Exchange {
    @inline(__always)
    func report(
        _ kind: ClientEvent.Kind, _ result: Response? = nil, value: @autoclosure () -> Int = 0,
        detail: @autoclosure () -> Int = 0
    ) {
        guard context.client.observers.isActive else { return }
        send(kind, result, value(), detail(), time: context.client.observers.now)
    }

    private func send(
        _ kind: ClientEvent.Kind, _ result: Response?, _ value: Int, _ detail: Int, time: Int,
        peer: PeerAddress? = nil, version: HTTPVersion? = nil
    ) {
        owner.observedTask?.report(
            kind, status: result?.error == nil ? result?.status ?? 0 : 0, error: result?.error?.code, value: value,
            detail: detail, attempt: costs.attempts, hop: attempt.hops, time: time, peer: peer, version: version)
    }

    /// A hop that was handed to the transport has ended.
    func reportHopEnd(_ result: Response, _ transfer: any TransferToken) {
        guard isObserved else { return }
        let peer = transfer.address.flatMap { PeerAddress($0, port: transfer.port) }
        send(
            .hopEnded, result, result.bytesReceived, result.bytesSent, time: context.client.observers.now, peer: peer,
            version: result.version)
    }

    /// A stage holds it.
    func reportWait(_ wait: ClientEvent.Wait) {
        guard isObserved else { return }
        waiting = (wait, context.client.observers.now)
        report(.waitBegan, value: wait.rawValue)
    }

    /// It goes on, or ends.
    @inline(__always)
    func reportWaitEnd() { if waiting != nil { endWait() } }

    private func endWait() {
        guard let (wait, since) = waiting.take() else { return }
        report(.waitEnded, value: wait.rawValue, detail: context.client.observers.now - since)
    }

    /// Its task has left the queue.
    func reportDispatched() { report(.dispatched, value: (times.queued ?? 0) * 1000) }

    var isObserved: Bool { context.client.observers.isActive }

    func transferDid(_ step: TransferStep) {
        guard isObserved else { return }
        switch step {
        case .connected(let timings, let start):
            var time = (context.client.clock == nil ? start : context.now).microseconds
            let parts = [
                (ClientEvent.Kind.resolved, timings.dns), (.connected, timings.connect), (.secured, timings.tls),
            ]
            for (kind, part) in parts {
                guard let part else { continue }
                time += part
                send(kind, nil, part * 1000, 0, time: time * 1000)
            }
        case .sent(let size): report(.sent, value: size)
        case .receives: report(.firstByte)
        }
    }
}

extension RequestTask {
    var observedTask: RequestTask? { self }

    /// What its events have: given when it is first asked for.
    var eventNumber: UInt64 {
        if onLoop.number == 0 { onLoop.number = engine.parts.observers.nextNumber() }
        return onLoop.number
    }

    /// Its first event, from when it came to the queue.
    func reportQueued() {
        guard engine.parts.observers.isActive, queuedSince != .never else { return }
        report(.queued, time: queuedSince.microseconds * 1000)
    }

    func reportEnd(_ status: Int, _ error: NetcoreError.Code?, bytesReceived: Int) {
        guard engine.parts.observers.isActive else { return }
        let now = engine.parts.observers.now
        let since = queuedSince == .never ? now : queuedSince.microseconds * 1000
        let exchange = onLoop.exchange
        onLoop.lastEvent = max(onLoop.lastEvent, now)
        let event = ClientEvent(
            kind: .done, time: onLoop.lastEvent, number: eventNumber, taskID: id,
            attempt: exchange?.costs.attempts ?? 0,
            hop: exchange?.attempt.hops ?? 0, status: error == nil ? status : 0, error: error,
            value: max(now - since, 0), detail: bytesReceived)
        reportEnd(event, isCounted: onLoop.isStarted && !eventFunctions.isEmpty)
    }

    /// Only where its client has an observer.
    ///
    /// - Parameter time: in nanoseconds; not before that of its event before.
    func report(
        _ kind: ClientEvent.Kind, status: Int = 0, error: NetcoreError.Code? = nil, value: Int = 0, detail: Int = 0,
        attempt: Int = 0, hop: Int = 0, time: Int, peer: PeerAddress? = nil, version: HTTPVersion? = nil
    ) {
        onLoop.lastEvent = max(onLoop.lastEvent, time)
        engine.parts.observers.report(
            ClientEvent(
                kind: kind, time: onLoop.lastEvent, number: eventNumber, taskID: id, attempt: attempt, hop: hop,
                status: status, error: error, value: value, detail: detail, peer: peer, version: version),
            eventFunctions)
    }
}

extension Flight {
    /// The first task that waits for it still.
    var observedTask: RequestTask? { firstMember?.owner.observedTask }
}

extension Observers {
    /// A task that ended on the thread that dispatched it, with what the cache had in memory.
    ///
    /// - Parameter task: nil for a call that waits.
    func reportFresh(_ response: Response, _ task: RequestTask?, _ own: [@Sendable (ClientEvent) -> Void]) {
        guard isActive || !own.isEmpty else { return }
        let taskID = task?.id ?? 0
        let number = nextNumber()
        let now = self.now
        func event(_ kind: ClientEvent.Kind, status: Int = 0, value: Int = 0) -> ClientEvent {
            ClientEvent(
                kind: kind, time: now, number: number, taskID: taskID, attempt: 0, hop: 0, status: status, error: nil,
                value: value, detail: 0)
        }
        report(event(.queued), own)
        report(event(.cache, value: Int(response.cacheResult.rawValue)), own)
        let done = event(.done, status: response.status)
        if let task { task.reportEnd(done, isCounted: false) } else { report(done, own) }
        flush()
    }

    /// Something that belongs to no task.
    func report(_ kind: ClientEvent.Kind, value: Int) {
        guard isActive else { return }
        report(
            ClientEvent(
                kind: kind, time: now, number: 0, taskID: 0, attempt: 0, hop: 0, status: 0, error: nil,
                value: value, detail: 0))
        flush()
    }
}
