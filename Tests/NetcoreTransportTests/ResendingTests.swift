import Testing

@testable import NetcoreTransport

/// What goes out again by the transport's own decision (RFC 9110 section 9.2.2).
@Suite struct ResendingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// GET; else POST.
        var isIdempotent = true
        var isSentOnce = false
        var connects = 1
        var isForeign = false
        var wasForeignAtClose = false
        var end: Resending.End
        var decision: Resending.Decision

        init(_ name: String, _ decision: Resending.Decision, _ change: (inout Case) -> Void) {
            testDescription = name
            self.decision = decision
            end = Resending.End()
            end.isOnKept = true
            change(&self)
        }
    }

    private static let cases: [Case] = [
        Case("GET, not sent on a kept connection", .again) { $0.end.kind = .unsent },
        Case("GET, a kept connection ended under its stream", .again) { $0.end.kind = .streamsEnded },
        Case("GET, the second kept connection was dead as well", .againFresh) {
            $0.end.kind = .unsent
            $0.connects = 2
        },
        Case("GET, the fifth connection was dead as well", .no) {
            $0.end.kind = .unsent
            $0.connects = 5
        },
        Case("POST, not sent on a kept connection", .no) {
            $0.end.kind = .unsent
            $0.isIdempotent = false
        },
        Case("GET that goes once only, not sent", .no) {
            $0.end.kind = .unsent
            $0.isSentOnce = true
        },
        Case("GET, not sent on a connection made for it", .no) {
            $0.end.kind = .unsent
            $0.end.isOnKept = false
        },
        Case("GET, lost after a byte of its answer", .no) {
            $0.end.kind = .unsent
            $0.end.hasFirstByte = true
        },
        Case("GET, an answer that cannot be read", .no) { $0.end.kind = .unreadable },
        Case("GET, the same, and it came before the request", .againFresh) {
            $0.end.kind = .unreadable
            $0.wasForeignAtClose = true
        },
        Case("POST, the same", .no) {
            $0.end.kind = .unreadable
            $0.wasForeignAtClose = true
            $0.isIdempotent = false
        },
        Case("POST, a 408 that came before the request", .againFresh) {
            $0.isForeign = true
            $0.end.status = 408
            $0.isIdempotent = false
        },
        Case("POST, another answer that came before the request", .no) {
            $0.isForeign = true
            $0.end.status = 200
            $0.isIdempotent = false
        },
        Case("POST, a 408 that closes a kept connection", .again) {
            $0.end.kind = .answered
            $0.end.hasTimedOutIdle = true
            $0.isIdempotent = false
        },
        Case("GET, an answer that ended with its connection", .againFresh) {
            $0.end.kind = .answered
            $0.end.endedWithConnection = true
        },
        Case("POST, the same", .no) {
            $0.end.kind = .answered
            $0.end.endedWithConnection = true
            $0.isIdempotent = false
        },
        Case("GET, any other end", .no) { _ in },
        Case("GET, an answer", .no) { $0.end.kind = .answered },
    ]

    @Test("a hop goes out again where nothing can have been carried out twice", arguments: cases)
    func decides(_ row: Case) {
        var resending = Resending(isIdempotent: row.isIdempotent, isSentOnce: row.isSentOnce)
        for _ in 0..<row.connects { resending.begin(isMultiplexed: false, isFresh: false, requestSize: 0) }
        resending.isAnswerForeign = row.isForeign
        resending.wasForeignAtClose = row.wasForeignAtClose
        #expect(resending.decide(row.end) == row.decision)
    }

    @Test("an answer is doubted once")
    func doubt() {
        var resending = Resending(isIdempotent: true)
        resending.begin(isMultiplexed: true, isFresh: true, requestSize: 0)
        var end = Resending.End()
        end.kind = .answered
        end.endedWithConnection = true
        #expect(resending.decide(end) == .againFresh)
        resending.restart()
        resending.begin(isMultiplexed: true, isFresh: true, requestSize: 0)
        #expect(resending.decide(end) == .no)
    }

    @Test("a connection that must not carry a request is left, whatever the request is")
    func unfit() {
        var resending = Resending(isSentOnce: true)
        resending.isConnectionUnfit = true
        #expect(resending.decide(Resending.End()) == .again)
        resending.restart()
        #expect(resending.decide(Resending.End()) == .no)
    }

    @Test(
        "libcurl may send on another connection where nothing was sent, or the request is idempotent, or was refused",
        arguments: [
            // multiplexed, fresh, idempotent, once, a byte came, bytes sent since, may go
            (false, false, false, false, false, 0, true), (false, false, false, false, false, 10, false),
            (false, false, true, false, false, 10, true), (true, true, false, false, false, 10, true),
            (true, false, false, false, false, 10, false), (false, true, false, false, false, 10, false),
            (false, false, true, true, false, 0, false), (false, false, false, true, true, 10, true),
        ])
    func goesOn(
        isMultiplexed: Bool, isFresh: Bool, isIdempotent: Bool, isSentOnce: Bool, hasFirstByte: Bool, sent: Int,
        may: Bool
    ) {
        var resending = Resending(isIdempotent: isIdempotent, isSentOnce: isSentOnce)
        #expect(resending.mayGoOn(hasFirstByte: false, requestSize: 100))
        resending.begin(isMultiplexed: isMultiplexed, isFresh: isFresh, requestSize: 100)
        #expect(resending.mayGoOn(hasFirstByte: hasFirstByte, requestSize: 100 + sent) == may)
    }
}
