/// What a source of events does next: a pure rule (HTML standard, section 9.2.3 "Processing model"). Waits are in milliseconds; random
/// numbers are handed in.
///
/// A connection that ends, or fails in a way that may pass, is followed by another one after a wait. An answer that is no event stream
/// ends the source.
package struct EventSourceRule: Sendable {
    /// Values are those of netcore/event_source.h.
    package enum State: Int32, Sendable {
        case connecting = 0
        case open = 1
        case waiting = 2
        case closed = 3
    }

    package enum Event: Sendable {
        /// The head of an answer, and why it is no event stream.
        case head(status: Int, refusal: NetcoreError.Code?)
        /// Fields came; what the parser has of them.
        case fields(lastEventID: String, retry: Int?)
        /// The body came to its end.
        case ended
        case failed(NetcoreError.Code)
        /// The time of a wait has come.
        case waited
        case canceled
    }

    package enum Action: Sendable, Hashable {
        case connect
        case read
        case wait(Int64)
        /// The server wants no more connections.
        case finish
        case fail(NetcoreError.Code)
    }

    package static let shortestRetry: Int64 = 10

    package private(set) var state = State.connecting
    /// What the next connection asks to go on after.
    package private(set) var lastEventID: String
    /// How long to wait before another connection.
    package private(set) var retry: Int64
    private let longestRetry: Int64
    /// Connections in a row that brought no event stream.
    private var failures = 0
    private var last = Action.connect

    /// - Parameters:
    ///   - retry: until the server says how long to wait.
    ///   - longestRetry: of all waits.
    package init(lastEventID: String = "", retry: Int64, longestRetry: Int64) {
        self.lastEventID = lastEventID
        self.longestRetry = max(longestRetry, Self.shortestRetry)
        self.retry = 0
        self.retry = bounded(retry)
    }

    private func bounded(_ retry: Int64) -> Int64 { min(max(retry, Self.shortestRetry), longestRetry) }

    /// - Parameter random: a number of [0, 1).
    package mutating func handle(_ event: Event, random: Double) -> Action {
        guard state != .closed else { return last }
        last = next(after: event, random: random)
        return last
    }

    private mutating func next(after event: Event, random: Double) -> Action {
        switch event {
        case .head(status: 204, refusal: _):
            state = .closed
            return .finish
        case .head(status: _, refusal: let refusal?): return fail(refusal)
        case .head:
            state = .open
            failures = 0
            return .read
        case .fields(let lastEventID, let retry):
            self.lastEventID = lastEventID
            if let retry { self.retry = bounded(Int64(clamping: retry)) }
            return .read
        case .failed(let code) where !code.isRetryable: return fail(code)
        case .ended, .failed:
            if state == .connecting { failures += 1 }
            state = .waiting
            return .wait(delay(random))
        case .waited:
            state = .connecting
            return .connect
        case .canceled: return fail(.canceled)
        }
    }

    private mutating func fail(_ code: NetcoreError.Code) -> Action {
        state = .closed
        return .fail(code)
    }

    /// At least what the server says. After failures in a row up to twice as long for each more, so that many clients do not come back
    /// at the same moment.
    private func delay(_ random: Double) -> Int64 {
        guard failures > 1 else { return retry }
        let bound = min(longestRetry, retry.multiplied(saturating: 1 << min(failures - 1, 40)))
        return retry + Int64(random * Double(bound - retry))
    }
}
