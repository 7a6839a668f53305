/// Why a call or a task failed.
public struct NetcoreError: Error, Sendable, CustomStringConvertible {
    public var code: Code
    /// A sentence for a person. Names the URL or the argument; never contains credentials or a query string.
    public var message: String
    /// The parameter or option that a call was refused for; empty where it is about none.
    public var argument: String {
        get { details?.values.argument ?? "" }
        set { change { $0.argument = newValue } }
    }
    /// What a ``RetryPolicy`` saw: each hop to the network with what came of it, in order. Empty without a policy.
    public package(set) var tries: [Try] {
        get { details?.values.tries ?? [] }
        set { change { $0.tries = newValue } }
    }
    /// Why a task was canceled; nil for another error.
    public package(set) var cancelCause: CancelCause? {
        get { code == .canceled ? details?.values.cancelCause ?? .application : nil }
        set { change { $0.cancelCause = newValue } }
    }
    /// Whether any part of the request was sent, by any of its attempts. One that was not cannot have been carried out.
    public package(set) var wasSent: Bool {
        get { details?.values.wasSent ?? false }
        set { change { $0.wasSent = newValue } }
    }
    /// When the policy of the client that refused the request lets one like it through, at the latest; nil where none did.
    public package(set) var retryAfter: Duration? {
        get { details?.values.retryAfter }
        set { change { $0.retryAfter = newValue } }
    }
    /// The answer that its request does not accept (``Code/rejectedStatus`` and the others); nil for another error.
    public package(set) var response: Response? {
        get { details?.values.response }
        set { change { $0.response = newValue } }
    }
    /// What the error table of its request says of it; nil for nothing.
    package var meaning: ErrorMeaning? {
        get { details?.values.meaning }
        set { change { $0.meaning = newValue } }
    }
    /// What few errors have, in one object: errors are copied in so many places that each member makes the library larger.
    private var details: Details?
    /// How far the task had come.
    public var phase: Phase
    /// The CURLcode under it, or the errno, 0 when there is none.
    public var nativeCode: Int32
    /// Requests put on the wire for the task.
    public var attempts: Int

    package init(
        _ code: Code, argument: String = "", _ message: String? = nil, phase: Phase = .none, nativeCode: Int32 = 0,
        attempts: Int = 0
    ) {
        self.code = code
        if !argument.isEmpty { details = Details(DetailValues(argument: argument)) }
        let sentence = message.map(Self.shortened) ?? code.summary
        self.message = argument.isEmpty ? sentence : "\(argument): \(sentence)"
        self.phase = phase
        self.nativeCode = nativeCode
        self.attempts = attempts
    }

    private struct DetailValues: Sendable {
        var argument = ""
        var tries: [Try] = []
        var cancelCause: CancelCause?
        var wasSent = false
        var retryAfter: Duration?
        var response: Response?
        var meaning: ErrorMeaning?
    }

    private final class Details: Sendable {
        let values: DetailValues

        init(_ values: DetailValues) { self.values = values }
    }

    private mutating func change(_ body: (inout DetailValues) -> Void) {
        var values = details?.values ?? DetailValues()
        body(&values)
        details = Details(values)
    }

    /// The end of a task that was canceled.
    package static func canceled(
        _ phase: Phase, _ cause: CancelCause, _ message: String? = nil
    ) -> NetcoreError {
        var result = NetcoreError(.canceled, message, phase: phase)
        if cause != .application { result.cancelCause = cause }
        return result
    }

    /// Bytes of a message, from which on it is shortened: what it quotes may be as long as a request.
    private static let longestMessage = 1000
    /// Of one that is shortened, so many Unicode scalars are kept.
    private static let keptScalars = 500

    private static func shortened(_ message: String) -> String {
        guard message.utf8.count > longestMessage else { return message }
        return "\(String(message.unicodeScalars.prefix(keptScalars)))… (\(message.utf8.count) bytes)"
    }

    /// Whether the same request may succeed later.
    public var isRetryable: Bool { code.isRetryable }

    public var description: String { "\(code.name): \(message)" }

    /// The point that a task had reached. Values are those of netcore/error.h.
    public enum Phase: Int32, Sendable {
        case none = 0
        case queue = 1
        case connect = 2
        case send = 3
        case wait = 4
        case receive = 5
        case done = 6
    }

    /// Why a task was canceled. Values are those of netcore/error.h.
    public enum CancelCause: Int32, Sendable {
        /// The application canceled it, by the task, a tag, a group or the surrounding task of Swift.
        case application = 1
        /// Its client was shut down or destroyed.
        case client = 2
        /// An equal request took its place (``DuplicatePolicy/cancelOld``).
        case replaced = 3
        /// What it belongs to was canceled or closed (`TaskScope`).
        case scope = 4
    }
}

extension NetcoreError {
    /// A status of netcore/error.h, from which the constants are written. Open: later versions add values.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int32

        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// Statuses of the application's own, for filters and application tasks.
        package static let ofApplication: ClosedRange<Int32> = 2000...2999
    }

    /// Whether it is that of an answer which its request or a filter does not accept, or may be: the response has that.
    package var isRejection: Bool {
        switch code {
        case .integrity: true
        case .refused: phase == .done
        default: code.rawValue / 100 == 17 || Code.ofApplication.contains(code.rawValue)
        }
    }
}

extension NetcoreError.Code: CustomStringConvertible {
    /// Its name, as ``NetcoreError/Code/name`` has it.
    public var description: String { name }
}
