/// Why a call or a task failed.
public struct NetcoreError: Error, Sendable, CustomStringConvertible {
    public var code: Code
    /// A sentence for a person. Names the URL or the argument; never contains credentials or a query string.
    public var message: String
    /// The parameter or option that a call was refused for; empty where it is about none.
    public var argument: String {
        get { details?.argument ?? "" }
        set { details = Details(newValue, tries, retryAfter) }
    }
    /// What a ``RetryPolicy`` saw: each hop to the network with what came of it, in order. Empty without a policy.
    public package(set) var tries: [Try] {
        get { details?.tries ?? [] }
        set { details = Details(argument, newValue, retryAfter) }
    }
    /// When the policy of the client that refused the request lets one like it through, at the latest; nil where none did.
    public package(set) var retryAfter: Duration? {
        get { details?.retryAfter }
        set { details = Details(argument, tries, newValue) }
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
        details = Details(argument, [], nil)
        let sentence = message.map(Self.shortened) ?? code.summary
        self.message = argument.isEmpty ? sentence : "\(argument): \(sentence)"
        self.phase = phase
        self.nativeCode = nativeCode
        self.attempts = attempts
    }

    private final class Details: Sendable {
        let argument: String
        let tries: [Try]
        let retryAfter: Duration?

        init?(_ argument: String, _ tries: [Try], _ retryAfter: Duration?) {
            guard !argument.isEmpty || !tries.isEmpty || retryAfter != nil else { return nil }
            self.argument = argument
            self.tries = tries
            self.retryAfter = retryAfter
        }
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
}

extension NetcoreError {
    /// A status of netcore/error.h, from which the constants are written. Open: later versions add values.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int32

        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// Statuses of the application's own, for filters and application tasks.
        package static let ofApplication: ClosedRange<Int32> = 2000...2999
    }
}

extension NetcoreError.Code: CustomStringConvertible {
    /// Its name, as ``NetcoreError/Code/name`` has it.
    public var description: String { name }
}
