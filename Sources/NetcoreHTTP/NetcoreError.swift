/// Why a call or a task failed.
public struct NetcoreError: Error, Sendable, CustomStringConvertible {
    public var code: Code
    /// A sentence for a person: names host and port, never credentials or a query string.
    public var message: String
    /// How far the task had come.
    public var phase: Phase
    /// The CURLcode under it, or the errno, 0 when there is none.
    public var nativeCode: Int32
    /// Requests put on the wire for the task.
    public var attempts: Int

    package init(
        _ code: Code, _ message: String? = nil, phase: Phase = .none, nativeCode: Int32 = 0, attempts: Int = 0
    ) {
        self.code = code
        self.message = message.map(Self.shortened) ?? code.summary
        self.phase = phase
        self.nativeCode = nativeCode
        self.attempts = attempts
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
    /// A status of netcore/error.h. Open: later versions add values.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int32

        public init(rawValue: Int32) { self.rawValue = rawValue }

        private init(_ rawValue: Int32) { self.rawValue = rawValue }

        package static let ok = Code(0)
        public static let invalidArgument = Code(100)
        public static let invalidHandle = Code(101)
        public static let invalidStruct = Code(102)
        public static let invalidURL = Code(103)
        public static let invalidScheme = Code(104)
        public static let invalidMethod = Code(105)
        public static let invalidHeader = Code(106)
        public static let notFound = Code(107)
        public static let invalidState = Code(200)
        public static let shutDown = Code(201)
        public static let forked = Code(202)
        public static let inProgress = Code(203)
        public static let canceled = Code(300)
        public static let timeoutConnect = Code(400)
        public static let timeoutFirstByte = Code(401)
        public static let timeoutIdle = Code(402)
        public static let timeoutTotal = Code(403)
        public static let resolve = Code(500)
        public static let resolveProxy = Code(501)
        public static let connect = Code(600)
        public static let connectProxy = Code(601)
        public static let connectionLost = Code(602)
        public static let tls = Code(700)
        public static let tlsCertificate = Code(701)
        public static let tlsConfig = Code(702)
        public static let `protocol` = Code(800)
        public static let truncated = Code(801)
        public static let contentCoding = Code(802)
        public static let redirect = Code(803)
        public static let redirectInsecure = Code(804)
        public static let limitHeaderBytes = Code(900)
        public static let limitBodyBytes = Code(901)
        public static let limitDecodedBytes = Code(902)
        public static let limitDecodeRatio = Code(903)
        public static let limitRedirects = Code(904)
        public static let limitQueueLength = Code(905)
        public static let storage = Code(1000)
        public static let `internal` = Code(1100)
        public static let outOfMemory = Code(1101)
        public static let body = Code(1200)
        public static let bodyRewind = Code(1201)
        public static let refused = Code(1300)
        public static let networkMetered = Code(1400)
        public static let networkInterface = Code(1401)

        /// Statuses of the application's own, for filters and host tasks.
        package static let ofHost: ClosedRange<Int32> = 2000...2999
    }
}
