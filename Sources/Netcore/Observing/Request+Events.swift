extension Request {
    /// Adds a function that is called with each event of the tasks of this request, as the observers of a client are
    /// (``Client/observe(_:)``): in order, on a thread of the client's that sends it. ``ClientEvent/Kind/returned`` is the last event.
    public mutating func observe(_ function: @escaping @Sendable (ClientEvent) -> Void) {
        options.eventFunctions.append(function)
    }

    /// For the C door: is notified of what comes before the end of a task. Another module that asks the options for it copies them all.
    package var onEvent: (@Sendable (RequestTask, Response) -> Void)? { options.onEvent }
}

/// The last event of a task before its callback: what is reported after that.
final class ObservedEnd: Sendable {
    let event: ClientEvent
    /// The task is counted as one with functions of its own.
    let isCounted: Bool

    init(_ event: ClientEvent, isCounted: Bool) {
        self.event = event
        self.isCounted = isCounted
    }
}

extension RequestTask {
    /// Functions of its request's that are called with its events.
    var eventFunctions: [@Sendable (ClientEvent) -> Void] { work.request?.options.eventFunctions ?? [] }

    /// It begins: its events are reported, also if the client has no observer.
    func beginOwnEvents() {
        if !eventFunctions.isEmpty { engine.parts.observers.beginTask() }
    }

    /// Reports its end, after which only the return of its callback is reported.
    func reportEnd(_ event: ClientEvent, isCounted: Bool) {
        let observers = engine.parts.observers
        observers.report(event, eventFunctions)
        if handsOverEnd {
            observedEnd = ObservedEnd(event, isCounted: isCounted)
        } else if isCounted {
            observers.endTask()
        }
    }

    /// Whether its end is given to a callback, or taken from the queue.
    private var handsOverEnd: Bool {
        switch sink {
        case .callback: true
        case .none: engine.options.completions.isTaken
        case .waiter, .continuation, .discarded, .events, .reporting: false
        }
    }

    /// Its callback has returned, or what its end was taken for is done.
    func reportReturn() {
        guard let end = observedEnd.take() else { return }
        let observers = engine.parts.observers
        let event = ClientEvent(
            kind: .returned, time: max(observers.now, end.event.time), number: end.event.number,
            taskID: end.event.taskID, attempt: end.event.attempt, hop: end.event.hop, status: end.event.status,
            error: end.event.error, value: 0, detail: 0)
        observers.report(event, eventFunctions)
        observers.flush()
        if end.isCounted { observers.endTask() }
    }
}
