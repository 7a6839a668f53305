internal import NetcoreHTTP
internal import NetcoreTransport

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

/// What a stage will do with an answer, as far as its head tells.
enum Foresight: Int {
    /// Nothing that needs another hop.
    case passes
    /// It may send another hop in its place: that is known only when the whole answer is there.
    case mayReplace
    /// It sends another hop in its place, whatever the body is.
    case replaces
}

/// One step of a request's way to the wire and back: a subclass overrides what it takes part in. Confined to the client's loop.
///
/// A class and not a protocol: each request passes each stage twice, and a reference that is only borrowed costs half as much.
class Stage {
    func down(_ exchange: Exchange) -> Descent { .next }

    /// Called on each stage that was passed on the way down, that which ended it or held it at last included; not on one that held it
    /// on the way up.
    func up(_ exchange: Exchange, _ result: Response) -> Ascent { .next }

    /// Called on each stage when the head of an answer with a body has come from the network. What is said to be replaced must be:
    /// the answer comes up without its body.
    func foresee(_ exchange: Exchange, _ status: Int, _ fields: FieldBlock?) -> Foresight { .passes }

    /// Called on each stage when the head of an answer has come whose body is streamed. Returns where the body goes: to the consumer,
    /// or to something that passes it on.
    func sink(for exchange: Exchange, _ head: Response, _ consumer: any BodySink) -> any BodySink { consumer }

    /// An exchange that this stage holds ends, by a cancel or because its time is over: forget it. Returns what is known of it, if
    /// anything. ``up(_:_:)`` follows.
    func abandon(_ exchange: Exchange) -> Response? { nil }

    /// An exchange that this stage holds gets another priority, by `set`.
    func setPriority(_ exchange: Exchange, _ set: () -> Void) { set() }

    /// The time has come that it asked for by its context.
    func wake() {}

    /// Limits or settings may let more through.
    func limitsDidChange() {}

    /// Whether something that it holds waits for the application, which the client's clock is not to overtake.
    var isBusy: Bool { false }

    /// The client ends. Nothing is held any more.
    func close() {}
}
