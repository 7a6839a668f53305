internal import NetcoreHTTP
internal import NetcoreSupport
internal import NetcoreTransport

/// Lets an answer come as a ``PlayedAnswer`` says, by the client's clock. Confined to the client's loop.
final class AnswerPlay {
    private enum Step {
        case head
        case piece(Int)
        case ending
        case over
    }

    private let answer: PlayedAnswer
    private unowned let hop: TransportHop  // which has this
    private let exchange: Exchange
    private let plays: Plays
    private var step = Step.head
    private var timing: HopTime
    private var use = BodyUse.delivered
    private var sink: (any BodySink)?
    private var received = 0
    /// The sink takes no more for now, and whether the time of the next step has come meanwhile.
    private var isFull = false
    private var isDue = false
    private var timer = 0

    init(_ answer: PlayedAnswer, _ hop: TransportHop, _ exchange: Exchange, _ plays: Plays) {
        self.answer = answer
        self.hop = hop
        self.exchange = exchange
        self.plays = plays
        timing = HopTime(start: plays.now, taskStart: exchange.times.started ?? plays.now)
        timing.step = .waiting
    }

    func begin() {
        guard answer.fields != nil || !isSilent else { return }
        if answer.fields == nil { step = .ending }
        go(after: answer.wait)
    }

    /// Nothing follows.
    func stop() {
        step = .over
        plays.remove(timer)
    }

    /// What is known so far.
    func known() -> Response {
        var hasHead = true
        if case .head = step { hasHead = false }
        guard let fields = answer.fields, hasHead || sink != nil else { return Response() }
        return Response(
            status: answer.status, version: .http1_1, fields: fields, trailers: nil, attempts: 1,
            bytesSent: hop.bytesSent, bytesReceived: received, isConnectionReused: false, timings: Timings())
    }

    // MARK: Steps

    /// The time of a step has come.
    func timeHasCome() {
        guard !isFull else { return isDue = true }
        go(after: 0)
    }

    private func go(after wait: Int) {
        var wait = wait
        while wait <= 0 {
            guard let next = act() else { return }
            if isFull {
                isDue = next <= 0
                if isDue { return watch() }
            }
            wait = next
        }
        watch()
        timer = plays.add(self, at: plays.now.adding(microseconds: wait))
    }

    /// Does what is due. Returns the wait before the next step; nil if there is none.
    private func act() -> Int? {
        switch step {
        case .head:
            step = .piece(0)
            guard takeHead() else { return nil }
        case .piece(let index):
            step = .piece(index + 1)
            guard take(answer.pieces[index]) else { return nil }
        case .ending:
            end()
            return nil
        case .over: return nil
        }
        guard case .piece(let index) = step else { return nil }
        if index < answer.pieces.count { return answer.pieces[index].wait }
        step = .ending
        guard isSilent else { return 0 }
        watch()
        return nil
    }

    private var isSilent: Bool { if case .silence = answer.ending { true } else { false } }

    private func takeHead() -> Bool {
        timing.step = .receiving
        timing.lastActivity = plays.now
        use = exchange.transferUse(ofBody: answer.status, answer.fields)
        if use == .dropped {
            finish { $0.lacksBody = true }
            return false
        }
        if use == .streamed, let stream = exchange.transferDidReceiveHead(known()) {
            sink = stream
        } else {
            if use == .streamed { use = .delivered }
            sink = ByteBuffer()
        }
        exchange.transferDidProgress(received: 0, expected: answer.length, sent: hop.bytesSent)
        return true
    }

    private func take(_ piece: PlayedAnswer.Piece) -> Bool {
        timing.lastActivity = plays.now
        let start = received
        received += piece.count
        exchange.transferDidProgress(received: received, expected: answer.length, sent: hop.bytesSent)
        do throws(NetcoreError) {
            let bytes = UnsafeRawBufferPointer(rebasing: answer.body.bytes[start..<received])
            if try sink?.take(bytes) == .full {
                isFull = true
                timing.pausedSince = plays.now
            }
            sink?.show()
        } catch {
            fail(error)
            return false
        }
        return true
    }

    private func end() {
        if case .failure(let error) = answer.ending { return fail(error) }
        finish {
            $0.isStreamed = use == .streamed
            $0.bodyBuffer = sink as? ByteBuffer
        }
    }

    private func fail(_ error: NetcoreError) {
        finish { $0.error = error }
    }

    private func finish(_ change: (Response) -> Void) {
        let result = known()
        change(result)
        step = .over
        hop.playDidEnd(result)
    }

    private func watch() { plays.watch(exchange, timing) }

    /// The sink takes more.
    func resume() {
        guard isFull else { return }
        isFull = false
        timing.resume(plays.now)
        if isDue {
            isDue = false
            go(after: 0)
        } else {
            watch()
        }
    }
}

/// The played answers of a client, and the times that they wait for. Confined to the client's loop.
final class Plays {
    private unowned(unsafe) let context: StageContext  // it outlives the pipeline
    private unowned let stage: TransportStage  // which has this
    private var timers = Timers()

    init(_ context: StageContext, _ stage: TransportStage) {
        self.context = context
        self.stage = stage
    }

    var now: MonotonicTime { context.now }

    func forward(_ hop: TransportHop, _ exchange: Exchange, _ wire: WireRequest, _ recorder: HopRecorder) {
        stage.forward(hop, exchange, wire, recorder)
    }

    func add(_ play: AnswerPlay, at time: MonotonicTime) -> Int {
        context.wake(stage, at: time)
        return timers.add(play, at: time)
    }

    func remove(_ timer: Int) { timers.remove(timer) }

    func wake() {
        while let play = timers.popDue(now) { unsafeDowncast(play, to: AnswerPlay.self).timeHasCome() }
    }

    /// Ends the hop of an exchange when it is late.
    func watch(_ exchange: Exchange, _ timing: HopTime) { stage.watch(exchange, timing) }
}
