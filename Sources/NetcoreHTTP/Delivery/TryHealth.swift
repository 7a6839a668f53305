/// What a try says of the health of the server that it went to.
package enum TryHealth: Sendable, Hashable {
    /// An answer that is no failure.
    case good
    /// A 4xx: the server is there, and does not like the request. So is 429, by which a server that is well holds its clients back.
    case refused
    /// It failed; there was no connection.
    case unreachable
    /// It failed otherwise.
    case failed
    /// Nothing: it was canceled, or the fault is the request's, the application's or the client's.
    case unknown

    package init(_ outcome: RetryRule.Outcome) {
        switch outcome {
        case .answer(let status): self.init(status: status)
        case .failure(let code): self.init(code)
        }
    }

    private init(status: Int) {
        self =
            switch status {
            case 500, 502, 503, 504: .failed
            case 400..<500: .refused
            default: .good
            }
    }

    private init(_ code: NetcoreError.Code) {
        self =
            switch code {
            case .connect, .connectProxy, .timeoutConnect, .tls: .unreachable
            case .connectionLost, .truncated, .timeoutFirstByte, .timeoutIdle, .timeoutAttempt, .timeoutTotal,
                .timeoutRate:
                .failed
            default: .unknown
            }
    }

    package var isFailure: Bool { self == .failed || self == .unreachable }
}
