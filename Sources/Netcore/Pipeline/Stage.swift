internal import NetcoreHTTP

/// What a stage does with an exchange on its way down.
enum Descent {
    /// On to the next stage.
    case next
    /// The stage keeps it, and goes on with it later by its context.
    case hold
    /// No need to go further down: this is the answer.
    case end(Response)
}

/// What a stage does with an answer on its way up.
enum Ascent {
    /// On to the stage above.
    case next
    /// Down again, from the stage below this one.
    case again
    /// Down again from the top.
    case anew
    /// The stage keeps the exchange, and goes on with it later by its context.
    case hold
}

/// One step of a request's way to the wire and back. Confined to the client's loop.
protocol Stage: AnyObject {
    func down(_ exchange: Exchange) -> Descent

    /// Called on each stage that was passed on the way down, that which ended it or held it at last included; not on one that held it
    /// on the way up.
    func up(_ exchange: Exchange, _ result: Response) -> Ascent

    /// An exchange that this stage holds ends, by a cancel or because its time is over: forget it. Returns what is known of it, if
    /// anything. ``up(_:_:)`` follows.
    func abandon(_ exchange: Exchange) -> Response?

    /// Limits or settings may let more through.
    func limitsDidChange()

    /// The client ends. Nothing is held any more.
    func close()
}

extension Stage {
    func down(_ exchange: Exchange) -> Descent { .next }
    func up(_ exchange: Exchange, _ result: Response) -> Ascent { .next }
    func abandon(_ exchange: Exchange) -> Response? { nil }
    func limitsDidChange() {}
    func close() {}
}
