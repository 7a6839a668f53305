internal import NetcoreHTTP
internal import NetcoreSupport

/// Says who sends a hop: adds cookies and tokens of the client's, and answers 401 by asking the application for others. What may
/// block runs on a thread of the client's; the exchange waits here.
final class CredentialsStage: Stage, @unchecked Sendable {  // confined to the loop
    private unowned(unsafe) let context: StageContext
    /// Those that wait, by the numbers of their holds.
    private var waits: [Int: Wait] = [:]
    /// Those whose functions are being called.
    private var askedSources: [TokenSource] = []

    private struct Wait {
        let since: MonotonicTime
        /// The 401 that waits for an answer; nil on the way down.
        let refused: Response?
    }

    private static let mostFailures = 3
    /// Of an exchange, whatever the hosts.
    private static let mostAnswers = 20

    init(_ context: StageContext) { self.context = context }

    // MARK: Down

    override func down(_ exchange: Exchange) -> Descent {
        guard context.client.identities.areAny, !exchange.request.options.isBare else { return .next }
        let target = exchange.hop.target
        // One that is being replaced is waited for, too.
        if let source = source(of: exchange), source.current == nil || !source.waiting.isEmpty,
            exchange.challenges[target.url.origin]?.answer == nil, exchange.request.form.takesToken(target.trimming)
        {
            return wait(for: source, exchange, nil) ? .hold : .end(Self.noThread)
        }
        identify(exchange)
        return .next
    }

    private func source(of exchange: Exchange) -> TokenSource? {
        let settings = context.client.settings
        return settings.hasIdentities ? settings.snapshot.values.tokenSources[exchange.hop.url.origin] : nil
    }

    /// Puts what says who sends it on the hop.
    private func identify(_ exchange: Exchange) {
        let target = exchange.hop.target
        let answer = exchange.challenges[target.url.origin]?.answer
        let identity = context.client.identities.identity(of: exchange.request, target, answer)
        exchange.hop.identify(identity.hop, identity.tokenNumber)
    }

    // MARK: Up

    /// Where the source has another token by now, the hop goes out again with it. In all other cases a function of the application's
    /// decides, and a 401 that it does not answer is delivered with its body.
    override func foresee(_ exchange: Exchange, _ status: Int, _ fields: FieldBlock?) -> Foresight {
        guard status == 401, mayAnswer(exchange) else { return .passes }
        guard let source = source(of: exchange), let number = exchange.hop.tokenNumber, !exchange.hop.hasAnotherToken
        else { return .mayReplace }
        return hasAnotherToken(than: number, source) ? .replaces : .mayReplace
    }

    private func mayAnswer(_ exchange: Exchange) -> Bool {
        context.client.settings.hasIdentities && !exchange.request.options.isBare && !exchange.isCanceled
            && exchange.answeredChallenges < Self.mostAnswers
    }

    private func hasAnotherToken(than number: Int?, _ source: TokenSource) -> Bool {
        source.current.map { $0.number != number } ?? false
    }

    override func up(_ exchange: Exchange, _ result: Response) -> Ascent {
        guard result.error == nil, result.status == 401, !exchange.isCanceled, !exchange.hasShownHead,
            exchange.move == nil
        else {
            return .next
        }
        // As foreseen, whatever has changed since.
        if result.lacksBody { return sendAgain(exchange, withToken: true) }
        guard mayAnswer(exchange) else { return .next }
        if let source = source(of: exchange), exchange.hop.tokenNumber != nil, !exchange.hop.hasAnotherToken {
            if hasAnotherToken(than: exchange.hop.tokenNumber, source) { return sendAgain(exchange, withToken: true) }
            return wait(for: source, exchange, result) ? .hold : .next
        }
        return ask(exchange, result) ? .hold : .next
    }

    /// Another attempt at the hop. Of the first hop functions of the application's may say something else by now.
    private func sendAgain(_ exchange: Exchange, withToken: Bool) -> Ascent {
        // A filter may lead each attempt to another host.
        guard exchange.answeredChallenges < Self.mostAnswers else { return .next }
        let hasAnotherToken = withToken || exchange.hop.hasAnotherToken
        exchange.answerChallenge(exchange.hop.again)
        exchange.hop.hasAnotherToken = hasAnotherToken
        if exchange.unfiltered != nil, exchange.redirects == 0 { return .anew }
        identify(exchange)
        return .again
    }

    /// Hands a challenge to the application. False if no function answers it, or no answer would be sent.
    private func ask(_ exchange: Exchange, _ result: Response) -> Bool {
        let target = exchange.hop.target
        let failures = exchange.challenges[target.url.origin]?.failures ?? 0
        guard failures < Self.mostFailures, let function = context.client.settings.current.challenge,
            let fields = result.fieldBlock,
            target.trimming.dropsCredentials || !exchange.request.form.hasHeader("Authorization")
        else { return false }
        let challenges = Headers(fields).values(of: "WWW-Authenticate").flatMap(Challenge.parse)
        guard !challenges.isEmpty else { return false }
        let request = Client.ChallengeRequest(url: target.url.string, challenges: challenges, failures: failures)
        let number = hold(exchange, result)
        let isAdded = context.client.credentialWorker.add { [weak self, post = context.post] in
            let answer = Result { () throws(NetcoreError) in
                let answer = try ApplicationFunction.run { try function(request) }
                try answer?.check(tokenName: "token")
                return answer
            }
            post { [weak self] in self?.answered(exchange, number, answer) }
        }
        guard isAdded else {
            waits[number] = nil
            context.release(exchange)
            return false
        }
        exchange.challenges[target.url.origin, default: OriginChallenges()].failures += 1
        return true
    }

    private func answered(_ exchange: Exchange, _ number: Int, _ answer: Result<Authentication?, NetcoreError>) {
        guard context.isHeld(exchange, number) else { return }
        goOn(
            exchange, number, withToken: false,
            answer.map { answer in
                exchange.challenges[exchange.hop.url.origin, default: OriginChallenges()].answer = answer
                return answer != nil
            })
    }

    // MARK: Waiting

    private static var noThread: Response {
        Response(error: NetcoreError(.outOfMemory, argument: "client", "no thread can be started", phase: .queue))
    }

    private static var tooLate: NetcoreError {
        NetcoreError(.timeoutTotal, "the application gave no credentials in time", phase: .queue)
    }

    private func hold(_ exchange: Exchange, _ refused: Response?) -> Int {
        let end = exchange.times.end(exchange.request.options.timeouts.total, now: context.now)
        let number = context.hold(exchange, until: end, else: Self.tooLate)
        waits[number] = Wait(since: context.now, refused: refused)
        return number
    }

    /// Waits for the source's next token, and asks for it unless another exchange does. False when no thread can be started.
    private func wait(for source: TokenSource, _ exchange: Exchange, _ refused: Response?) -> Bool {
        if source.waiting.isEmpty {
            let isAdded = context.client.credentialWorker.add { [weak self, post = context.post] in
                let result = Result { () throws(NetcoreError) in try source.renew() }
                post { [weak self] in self?.renewed(source, result) }
            }
            guard isAdded else { return false }
            askedSources.append(source)
        }
        source.waiting.append((exchange, hold(exchange, refused)))
        return true
    }

    private func renewed(_ source: TokenSource, _ result: Result<Void, NetcoreError>) {
        let waiting = source.waiting
        source.waiting = []
        askedSources.removeAll { $0 === source }
        for (exchange, number) in waiting where context.isHeld(exchange, number) {
            if self.source(of: exchange) === source {
                goOn(exchange, number, withToken: true, result.map { source.current != nil })
            } else {
                beginAgain(exchange, number)
            }
        }
    }

    /// Another source has taken the place of the one that was asked.
    private func beginAgain(_ exchange: Exchange, _ number: Int) {
        let refused = stopWaiting(exchange, number)
        context.goOn(exchange) {
            if refused != nil {
                exchange.answerChallenge(exchange.hop.again)
                exchange.hop.hasAnotherToken = true
            }
            return down(exchange)
        }
    }

    /// - Parameter result: whether there is something to send it with.
    private func goOn(
        _ exchange: Exchange, _ number: Int, withToken: Bool, _ result: Result<Bool, NetcoreError>
    ) {
        let refused = stopWaiting(exchange, number)
        switch result {
        case .failure(let error): context.end(exchange, Response(error: error))
        case .success(let hasCredentials):
            guard let refused else {
                return context.goOn(exchange) {
                    identify(exchange)
                    return .next
                }
            }
            guard hasCredentials else { return context.end(exchange, refused) }
            switch sendAgain(exchange, withToken: withToken) {
            case .anew: context.goOnAnew(exchange)
            case .again: context.goOn(exchange)
            case .next, .hold: context.end(exchange, refused)
            }
        }
    }

    /// Returns the 401 that waited.
    private func stopWaiting(_ exchange: Exchange, _ number: Int) -> Response? {
        guard let wait = waits.removeValue(forKey: number) else { return nil }
        exchange.times.noteFunction(since: wait.since, context.now)
        return wait.refused
    }

    override func abandon(_ exchange: Exchange) -> Response? {
        waits[exchange.place.hold] = nil
        return nil
    }

    /// No function's result comes any more: exchanges and sources are not to keep each other.
    override func close() {
        for source in askedSources { source.waiting = [] }
        askedSources = []
    }
}

/// What an exchange found out about an origin that challenged it.
struct OriginChallenges {
    /// How often the application was asked to answer, and its last answer.
    var failures = 0
    var answer: Authentication?
}
