internal import NetcoreHTTP
internal import NetcoreSupport

/// Says who sends a hop: adds cookies and tokens of the client's, and answers 401 by asking the host for others. What may block
/// runs on a thread of the client's; the task waits here.
final class CredentialsStage: Stage {
    private unowned(unsafe) let engine: Engine
    /// The total timeouts of those that wait.
    private var timers = Timers()
    /// Those whose functions are being called.
    private var askedSources: [TokenSource] = []

    private static let mostFailures = 3
    /// Of a task, whatever the hosts.
    private static let mostResends = 20

    init(engine: Engine) { self.engine = engine }

    // MARK: Down

    func down(_ task: RequestTask) -> Descent {
        guard engine.hasIdentities || task.call.cache?.query.hasIdentity ?? false, let request = task.call.request,
            let wire = task.call.wire, !request.isCustom
        else {
            if task.call.credentials != nil { task.call.credentials = nil }
            return .next
        }
        let state = HopCredentials(wire.url.origin, engine.settings.current.tokenSources[wire.url.origin])
        if let last = task.call.credentials {
            if last.origin != state.origin { task.call.earlierCredentials.append(last) }
            let same =
                last.origin == state.origin ? last : task.call.earlierCredentials.last { $0.origin == state.origin }
            if let same { state.goOn(from: same) }
        }
        task.call.credentials = state
        // One that is being replaced is waited for, too.
        if let source = state.source, source.current == nil || !source.waiting.isEmpty, state.answer == nil,
            request.takesToken(task.call.trimming)
        {
            return wait(for: source, task, state) ? .hold : .end(Self.noThread)
        }
        dress(task, state)
        return .next
    }

    /// Puts what says who sends it on the hop.
    private func dress(_ task: RequestTask, _ state: HopCredentials) {
        guard let request = task.call.request, let wire = task.call.wire else { return }
        let identity = engine.identity(for: request, wire.url, task.call.trimming, state.answer)
        state.tokenNumber = identity.tokenNumber
        let hadIdentity = state.failures > 0 || state.hasRetried || task.call.cache?.query.hasIdentity ?? false
        guard !identity.hop.isEmpty || hadIdentity else { return }
        task.call.wire = request.wire(
            for: engine, method: wire.method, url: wire.url, task.call.trimming, identity.hop)
        guard let cache = engine.cache else { return }
        task.call.cache?.begin(
            request.makeQuery(
                for: engine, cache, method: wire.method, url: wire.url, task.call.trimming, identity.hop))
    }

    // MARK: Up

    func up(_ task: RequestTask, _ result: Response) -> Ascent {
        guard let state = task.call.credentials, result.error == nil, result.status == 401, !task.isCanceled else {
            return .next
        }
        if let source = state.source, let number = state.tokenNumber, !state.hasRetried {
            state.hasRetried = true
            if let current = source.current, current.number != number { return sendAgain(task, state) }
            state.pending = result
            return wait(for: source, task, state) ? .hold : .next
        }
        return ask(task, state, result) ? .hold : .next
    }

    /// Another attempt at the hop. Of the first hop functions of the host's may say something else by now.
    private func sendAgain(_ task: RequestTask, _ state: HopCredentials) -> Ascent {
        // A filter may lead each attempt to another host.
        guard task.call.resends < Self.mostResends else { return .next }
        task.call.resends += 1
        state.isSentAgain = true
        if case .unresolved = task.work, task.call.redirects == 0 { return .anew }
        dress(task, state)
        return .again
    }

    /// Hands a challenge to the host. False when there is nobody to answer it, or no answer would be sent.
    private func ask(_ task: RequestTask, _ state: HopCredentials, _ result: Response) -> Bool {
        guard state.failures < Self.mostFailures, let function = engine.settings.current.challenge,
            let url = task.call.wire?.url, let fields = result.fieldBlock, let given = task.call.request,
            task.call.trimming.dropsCredentials || !given.hasHeader("Authorization")
        else { return false }
        let challenges = Headers(fields).values(of: "WWW-Authenticate").flatMap(Challenge.parse)
        guard !challenges.isEmpty else { return false }
        let request = Client.ChallengeRequest(url: url.string, challenges: challenges, failures: state.failures)
        let isAdded = engine.credentialWorker.add { [engine] in
            let answer = Result { () throws(NetcoreError) in
                let answer = try ResolvedRequest.run { try function(request) }
                try answer?.check()
                return answer
            }
            engine.intake.submit(.run { engine in engine.credentialsStage?.answered(task, state, answer) })
        }
        guard isAdded else { return false }
        state.failures += 1
        state.pending = result
        startTimer(task, state)
        return true
    }

    private func answered(_ task: RequestTask, _ state: HopCredentials, _ answer: Result<Authentication?, NetcoreError>)
    {
        guard !task.call.isEnded, state.isWaiting else { return }
        goOn(
            task, state,
            answer.map { answer in
                state.answer = answer
                return answer != nil
            })
    }

    // MARK: Waiting

    private static var noThread: Response {
        Response(error: NetcoreError(.outOfMemory, "client: no thread can be started", phase: .queue))
    }

    /// Waits for the source's next token, and asks for it if nobody else does. False when no thread can be started.
    private func wait(for source: TokenSource, _ task: RequestTask, _ state: HopCredentials) -> Bool {
        if source.waiting.isEmpty {
            let isAdded = engine.credentialWorker.add { [engine] in
                let result = Result { () throws(NetcoreError) in try source.renew() }
                engine.intake.submit(.run { engine in engine.credentialsStage?.renewed(source, result) })
            }
            guard isAdded else { return false }
            askedSources.append(source)
        }
        source.waiting.append(task)
        startTimer(task, state)
        return true
    }

    private func renewed(_ source: TokenSource, _ result: Result<Void, NetcoreError>) {
        let tasks = source.waiting
        source.waiting = []
        askedSources.removeAll { $0 === source }
        for task in tasks {
            guard !task.call.isEnded, let state = task.call.credentials, state.source === source, state.isWaiting else {
                continue
            }
            if engine.settings.current.tokenSources[source.origin] === source {
                goOn(task, state, result.map { source.current != nil })
            } else {
                beginAgain(task, state)
            }
        }
    }

    /// Another source has taken the place of the one that was asked.
    private func beginAgain(_ task: RequestTask, _ state: HopCredentials) {
        stopWaiting(task, state)
        state.isSentAgain = state.pending != nil
        engine.pipeline.resume(task, with: down(task))
    }

    /// - Parameter result: whether there is something to send it with.
    private func goOn(_ task: RequestTask, _ state: HopCredentials, _ result: Result<Bool, NetcoreError>) {
        stopWaiting(task, state)
        let refused = state.pending.take()
        switch result {
        case .failure(let error): engine.pipeline.end(task, Response(error: error))
        case .success(let hasCredentials):
            guard let refused else {
                dress(task, state)
                return engine.pipeline.resume(task)
            }
            guard hasCredentials else { return engine.pipeline.end(task, refused) }
            switch sendAgain(task, state) {
            case .anew: engine.pipeline.start(task)
            case .again: engine.pipeline.resume(task)
            case .next, .hold: engine.pipeline.end(task, refused)
            }
        }
    }

    private func startTimer(_ task: RequestTask, _ state: HopCredentials) {
        state.waitingSince = engine.now
        let started = task.call.started ?? engine.now.adding(microseconds: -task.call.hostTime)
        guard let total = task.call.request?.timeoutSet.total, total > 0 else { return }
        state.timer = timers.add(task, at: started.adding(milliseconds: total))
    }

    private func stopWaiting(_ task: RequestTask, _ state: HopCredentials) {
        if let since = state.waitingSince.take(), task.call.started == nil {
            task.call.hostTime += max(engine.now.microseconds(since: since), 0)
        }
        if let timer = state.timer.take() { timers.remove(timer) }
    }

    func abandon(_ task: RequestTask) -> Response {
        if let state = task.call.credentials { stopWaiting(task, state) }
        return Response()
    }

    /// The client ends, and no function's result comes any more: tasks and sources let go of each other.
    func close() {
        for source in askedSources { source.waiting = [] }
        askedSources = []
    }

    var nextDeadline: MonotonicTime { timers.next }

    /// Ends those that waited too long.
    func expire(_ now: MonotonicTime) {
        while let object = timers.popDue(now) {
            guard let task = object as? RequestTask, !task.call.isEnded else { continue }
            _ = abandon(task)
            let error = NetcoreError(.timeoutTotal, "the host gave no credentials in time", phase: .queue)
            engine.pipeline.end(task, Response(error: error))
        }
    }
}

/// What the stage knows of a hop. Confined to the I/O thread.
final class HopCredentials: @unchecked Sendable {  // see above
    let origin: String
    let source: TokenSource?
    /// The token that it has.
    var tokenNumber: Int?
    /// It has been sent again with another token.
    var hasRetried = false
    /// It is on its way again.
    var isSentAgain = false
    /// Challenges that the host was asked to answer, and its last answer.
    var failures = 0
    var answer: Authentication?
    /// The 401 that waits for the host.
    var pending: Response?
    var waitingSince: MonotonicTime?
    var timer: Int?

    var isWaiting: Bool { waitingSince != nil }

    init(_ origin: String, _ source: TokenSource?) {
        self.origin = origin
        self.source = source
    }

    /// The hop before this one went to the same origin, or was this one: what was found out there holds.
    func goOn(from last: HopCredentials) {
        hasRetried = last.isSentAgain && last.hasRetried
        failures = last.failures
        answer = last.answer
    }
}
