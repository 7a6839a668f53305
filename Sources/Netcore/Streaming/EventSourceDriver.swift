package import NetcoreHTTP
package import NetcoreSupport

/// Carries out what ``EventSourceRule`` says, on the thread or task that asks for events. One at a time may ask.
package final class EventSourceDriver: @unchecked Sendable {  // what changes is under the condition's lock
    /// What others may know of it.
    package struct Info: Sendable {
        package var state: EventSourceRule.State
        package var lastEventID: String
        /// Milliseconds.
        package var retry: Int64
        package var connections: Int
    }

    private let client: Client
    private let request: Request
    private let largestEvent: Int
    private let condition = Condition()
    private var rule: EventSourceRule
    private var action = EventSourceRule.Action.connect
    /// Of the connection that there is.
    private var stream: ResponseStream?
    private var connections = 0
    private var wakeTime = MonotonicTime.now
    private var failure: NetcoreError?
    private var isBusy = false
    private var isCanceled = false
    private var alarm: AlarmDescriptor?

    /// How often a source that waits looks whether its client is still there.
    private static let slice = 250

    init(_ client: Client, _ request: Request, _ options: EventSourceOptions) throws(NetcoreError) {
        try options.check()
        self.client = client
        self.request = try Self.complete(request)
        largestEvent = options.largestEvent
        rule = EventSourceRule(
            lastEventID: options.lastEventID, retry: options.retry.milliseconds,
            longestRetry: options.longestRetry.milliseconds)
    }

    private static func complete(_ request: Request) throws(NetcoreError) -> Request {
        var request = request
        if !request.hasHeader("Accept") { try request.setHeader("Accept", "text/event-stream") }
        if !request.hasHeader("Cache-Control") { try request.setHeader("Cache-Control", "no-cache") }
        var cache = request.cacheOptions
        cache.mode = .ignore
        request.cacheOptions = cache
        request.clearRules()
        return request
    }

    package var info: Info {
        condition.lock.withLock {
            Info(state: rule.state, lastEventID: rule.lastEventID, retry: rule.retry, connections: connections)
        }
    }

    package func cancel() {
        let (stream, alarm) = condition.lock.withLock {
            isCanceled = true
            condition.broadcast()
            return (self.stream, self.alarm)
        }
        stream?.cancel()
        alarm?.ring()
    }

    /// A descriptor that is readable when ``next(until:)`` may have something for a caller that does not wait.
    package func descriptor() throws(NetcoreError) -> Int32 {
        condition.lock.lock()
        defer { condition.lock.unlock() }
        if alarm == nil {
            alarm = AlarmDescriptor()
            alarm?.ring()
        }
        guard let alarm else { throw NetcoreError(.outOfMemory, "there are no more descriptors") }
        stream?.notify { alarm.ring() }
        return alarm.descriptor
    }

    // MARK: Who asks

    /// The next event, waiting for it until a time; nil after a 204. Throws `inProgress` when the time comes first.
    package func next(until deadline: MonotonicTime) throws(NetcoreError) -> ServerSentEvent? {
        let deadline = try client.engine.checkedWait(until: deadline)
        try enter()
        defer { leave() }
        let alarm = condition.lock.withLock { self.alarm }
        // Before anything is looked at: what changes from now on rings again.
        alarm?.rest()
        do throws(NetcoreError) {
            let event = try wait(until: deadline)
            alarm?.ring()
            return event
        } catch {
            if error.code != .inProgress {
                alarm?.ring()
            } else if let time = condition.lock.withLock({ wait }) {
                alarm?.ring(at: time)
            }
            throw error
        }
    }

    private func wait(until deadline: MonotonicTime) throws(NetcoreError) -> ServerSentEvent? {
        while true {
            switch try step() {
            case .open(let stream):
                let head = try attempt { () throws(NetcoreError) in
                    guard let head = try stream.head(until: deadline) else { throw Self.inProgress }
                    return head
                }
                if let head { take(head) }
            case .read(let stream, let lastEventID):
                let event = try attempt { () throws(NetcoreError) in
                    try stream.nextEvent(until: deadline, limit: largestEvent, lastEventID: lastEventID)
                }
                if let event, let found = took(event) { return found }
            case .wait(let time):
                guard deadline > .now else { throw Self.inProgress }
                pause(until: min(time, deadline))
            case .end: return nil
            }
        }
    }

    /// The same for one that suspends.
    func next() async throws(NetcoreError) -> ServerSentEvent? {
        try enter()
        defer { leave() }
        while true {
            switch try step() {
            case .open(let stream):
                let result = await stream.head()
                if let head = try attempt({ () throws(NetcoreError) in try result.get() }) { take(head) }
            case .read(let stream, let lastEventID):
                let result = await stream.nextResult(limit: largestEvent, lastEventID: lastEventID)
                if let event = try attempt({ () throws(NetcoreError) in try result.get() }),
                    let found = took(event)
                {
                    return found
                }
            case .wait(let time):
                let left = min(time.microseconds(since: .now), Self.slice * 1000)
                try? await Task.sleep(for: .microseconds(left))
            case .end: return nil
            }
        }
    }

    private static let inProgress = NetcoreError(.inProgress, "the events continue")

    private func enter() throws(NetcoreError) {
        let isFree = condition.lock.withLock {
            defer { isBusy = true }
            return !isBusy
        }
        guard isFree else { throw ResponseStream.isBeingRead }
    }

    private func leave() { condition.lock.withLock { isBusy = false } }

    // MARK: Steps

    /// What is to be waited for.
    private enum Step {
        case open(ResponseStream)
        case read(ResponseStream, lastEventID: String)
        case wait(until: MonotonicTime)
        case end
    }

    /// Until when it waits before it connects again. Under the lock.
    private var wait: MonotonicTime? { if case .wait = action { wakeTime } else { nil } }

    private func step() throws(NetcoreError) -> Step {
        while true {
            condition.lock.lock()
            if isCanceled, rule.state != .closed { handle(.canceled, nil) }
            let (action, stream, lastEventID) = (action, stream, rule.lastEventID)
            let (wakeTime, failure) = (wakeTime, failure)
            condition.lock.unlock()
            switch action {
            case .connect:
                if let stream { return .open(stream) }
                _ = try attempt { () throws(NetcoreError) in try connect(lastEventID) }
            case .read:
                if let stream { return .read(stream, lastEventID: lastEventID) }
                change(.ended)
            case .wait:
                if wakeTime <= .now {
                    change(.waited)
                } else {
                    let isUsable: Void? = try attempt { () throws(NetcoreError) in
                        try client.engine.checkUsable()
                        guard client.engine.intake.isOpen else { throw NetcoreError(.shutDown) }
                    }
                    if isUsable != nil { return .wait(until: wakeTime) }
                }
            case .finish: return .end
            case .fail(let code): throw failure ?? NetcoreError(code, phase: .receive)
            }
        }
    }

    private func connect(_ lastEventID: String) throws(NetcoreError) {
        var request = request
        if !lastEventID.isEmpty { try request.setHeader("Last-Event-ID", lastEventID) }
        condition.lock.withLock { connections += 1 }
        let stream = try client.openStream(request, window: ResponseStream.defaultWindow)
        let isCanceled = condition.lock.withLock {
            self.stream = stream
            if let alarm { stream.notify { alarm.ring() } }
            return self.isCanceled
        }
        if isCanceled { stream.cancel() }
    }

    /// Does something whose errors are the rule's to judge. Nil after an error.
    private func attempt<Result>(_ work: () throws(NetcoreError) -> Result) throws(NetcoreError) -> Result? {
        do throws(NetcoreError) {
            return try work()
        } catch {
            if error.code == .inProgress { throw error }
            change(.failed(error.code), error)
            return nil
        }
    }

    private func take(_ head: Response) {
        var refusal: NetcoreError?
        do throws(NetcoreError) {
            try checkEventStream(head)
        } catch {
            refusal = error
        }
        change(.head(status: head.status, refusal: refusal?.code), refusal)
    }

    /// An event, or the end of the body.
    private func took(_ event: ServerSentEvent?) -> ServerSentEvent? {
        change(event.map { .fields(lastEventID: $0.lastEventID, retry: $0.retry) } ?? .ended)
        return event
    }

    private func change(_ event: EventSourceRule.Event, _ error: NetcoreError? = nil) {
        condition.lock.withLock { handle(event, error) }?.abandon()
    }

    /// Under the lock. Returns a connection that is of no more use.
    @discardableResult
    private func handle(_ event: EventSourceRule.Event, _ error: NetcoreError?) -> ResponseStream? {
        if rule.state == .open, let parser = stream?.events.parser, event.endsConnection {
            // An id and a wait that came without an event count as well.
            _ = rule.handle(.fields(lastEventID: parser.lastEventID, retry: parser.retry), random: 0)
        }
        action = rule.handle(event, random: .random(in: 0..<1))
        switch action {
        case .connect, .read: return nil
        case .wait(let milliseconds): wakeTime = MonotonicTime.now.adding(milliseconds: Int(milliseconds))
        case .finish: break
        case .fail: failure = error
        }
        defer { stream = nil }
        return stream
    }

    private func pause(until time: MonotonicTime) {
        let driver = client.engine.driver
        guard !driver.isApplicationDriven else {
            return driver.drive(until: time, or: Bystander(condition)) { isCanceled }
        }
        condition.lock.lock()
        defer { condition.lock.unlock() }
        guard !isCanceled else { return }
        _ = condition.wait(until: min(time, MonotonicTime.now.adding(milliseconds: Int(Self.slice))))
    }
}

extension EventSourceRule.Event {
    fileprivate var endsConnection: Bool {
        switch self {
        case .ended, .failed: true
        case .head, .fields, .waited, .canceled: false
        }
    }
}

extension ResponseStream {
    /// The next event, or why there is none.
    fileprivate func nextResult(limit: Int, lastEventID: String) async -> Result<ServerSentEvent?, NetcoreError> {
        do throws(NetcoreError) {
            return .success(try await nextEvent(limit: limit, lastEventID: lastEventID))
        } catch {
            return .failure(error)
        }
    }
}
