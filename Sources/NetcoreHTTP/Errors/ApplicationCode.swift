/// What an application shows to people and decides by, in place of the many statuses. Values are those of netcore/error_table.h: below
/// ``first`` general codes, which follow from the status; from there on the application's own.
///
///     extension ApplicationCode {
///         static let soldOut = ApplicationCode(rawValue: 1301)
///     }
public struct ApplicationCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// None of the others.
    public static let `default` = Self(rawValue: 1)
    /// The server took too long; also the status codes 408 and 504.
    public static let timeout = Self(rawValue: 2)
    /// The server cannot be reached, or the connection was lost.
    public static let cannotConnect = Self(rawValue: 3)
    public static let noNetwork = Self(rawValue: 4)
    public static let canceled = Self(rawValue: 5)
    public static let noData = Self(rawValue: 6)
    public static let noMoreData = Self(rawValue: 7)
    /// The server says so (401, 403), a function of the application refused the request, or the request does not allow the network at
    /// hand.
    public static let notAllowed = Self(rawValue: 8)
    /// The status codes 404 and 410.
    public static let notFound = Self(rawValue: 9)
    /// Other status codes from 500 on, and a server that is spared.
    public static let serverError = Self(rawValue: 10)
    /// An answer that cannot be used: broken, cut off, too large, or of another type or shape.
    public static let invalidAnswer = Self(rawValue: 11)
    /// TLS failed, or a redirect to an insecure place was refused.
    public static let insecure = Self(rawValue: 12)
    /// The status code 429, a rate, an equal request, or a full queue.
    public static let tooManyRequests = Self(rawValue: 13)
    /// Another status code, a body that says so, or a function of the application.
    public static let rejected = Self(rawValue: 14)
    /// A call with wrong arguments, or at a wrong time: a fault of the program.
    public static let invalidRequest = Self(rawValue: 15)
    /// A file or its disk.
    public static let storage = Self(rawValue: 16)
    /// The first one of the application's.
    public static let first = Self(rawValue: 1000)

    /// Whether it is one of the application's.
    public var isOfApplication: Bool { rawValue >= Self.first.rawValue }
}

extension ApplicationCode {
    /// The general code of a status; one of the application's own is its own code.
    ///
    /// - Parameter httpStatus: for an error by a status code; 0 where it is not known.
    public init(_ code: NetcoreError.Code, httpStatus: Int = 0) {
        if NetcoreError.Code.ofApplication.contains(code.rawValue) {
            self.init(rawValue: code.rawValue)
        } else {
            self = Self.exceptions.first { $0.code == code }?.general ?? Self.general(code, httpStatus)
        }
    }

    /// Those of no group, or of another one than the rest of their group.
    private static let exceptions: [(code: NetcoreError.Code, general: ApplicationCode)] = [
        (.tlsConfig, .invalidRequest), (.redirectInsecure, .insecure), (.limitQueueLength, .tooManyRequests),
        (.networkUnreachable, .noNetwork), (.noData, .noData), (.noMoreData, .noMoreData),
        (.rejectedContentType, .invalidAnswer), (.rejectedJSON, .invalidAnswer), (.noStub, .default),
    ]

    private static func general(_ code: NetcoreError.Code, _ httpStatus: Int) -> ApplicationCode {
        if code == .rejectedStatus || code == .httpStatus { return of(httpStatus: httpStatus) }
        return switch code.rawValue / 100 {
        case 1, 2, 12: .invalidRequest
        case 3: .canceled
        case 4: .timeout
        case 5, 6: .cannotConnect
        case 7: .insecure
        case 8, 9, 18: .invalidAnswer
        case 10: .storage
        case 13, 14: .notAllowed
        case 15: .tooManyRequests
        case 16: .serverError
        case 17: .rejected
        default: .default
        }
    }

    private static func of(httpStatus: Int) -> ApplicationCode {
        switch httpStatus {
        case 401, 403, 407: .notAllowed
        case 404, 410: .notFound
        case 408, 504: .timeout
        case 429: .tooManyRequests
        case 500...: .serverError
        default: .rejected
        }
    }
}
