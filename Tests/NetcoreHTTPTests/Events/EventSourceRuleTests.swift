import NetcoreHTTP
import Testing

/// When a source of events connects again (HTML standard, section 9.2.3).
@Suite struct EventSourceRuleTests {
    typealias Event = EventSourceRule.Event
    typealias Action = EventSourceRule.Action

    private static let open = Event.head(status: 200, refusal: nil)
    private static func fields(_ id: String, _ retry: Int? = nil) -> Event { .fields(lastEventID: id, retry: retry) }

    private static let cases: [(name: String, steps: [(event: Event, action: Action)])] = [
        (
            "a connection that ends is followed by another",
            [(open, .read), (fields("1"), .read), (.ended, .wait(3000)), (.waited, .connect), (open, .read)]
        ),
        ("so is one that is lost", [(open, .read), (.failed(.connectionLost), .wait(3000)), (.waited, .connect)]),
        ("so is one that was cut", [(open, .read), (.failed(.truncated), .wait(3000))]),
        ("so is one that was silent for too long", [(open, .read), (.failed(.timeoutIdle), .wait(3000))]),
        ("so is one that could not be made", [(.failed(.connect), .wait(3000)), (.waited, .connect)]),
        (
            "204 is the end",
            [(.head(status: 204, refusal: .httpStatus), .finish), (.waited, .finish), (.ended, .finish)]
        ),
        (
            "204 is the end of a later connection, too",
            [
                (open, .read), (.ended, .wait(3000)), (.waited, .connect),
                (.head(status: 204, refusal: .httpStatus), .finish),
            ]
        ),
        (
            "another status is an error",
            [(.head(status: 503, refusal: .httpStatus), .fail(.httpStatus)), (.waited, .fail(.httpStatus))]
        ),
        ("another media type is an error", [(.head(status: 200, refusal: .protocol), .fail(.protocol))]),
        ("an untrusted certificate is an error", [(.failed(.tlsCertificate), .fail(.tlsCertificate))]),
        (
            "an event that is too large is an error",
            [(open, .read), (.failed(.limitBodyBytes), .fail(.limitBodyBytes))]
        ),
        ("a body that cannot be read again is an error", [(.failed(.bodyRewind), .fail(.bodyRewind))]),
        ("a client that is shut down is an error", [(.failed(.shutDown), .fail(.shutDown))]),
        ("the server says how long to wait", [(open, .read), (fields("", 250), .read), (.ended, .wait(250))]),
        (
            "and that stays so",
            [
                (open, .read), (fields("", 250), .read), (.ended, .wait(250)), (.waited, .connect), (open, .read),
                (fields("1"), .read), (.ended, .wait(250)),
            ]
        ),
        ("no wait is shorter than 10 ms", [(open, .read), (fields("", 0), .read), (.ended, .wait(10))]),
        ("none is longer than the longest", [(open, .read), (fields("", .max), .read), (.ended, .wait(20000))]),
        ("a cancel at the beginning", [(.canceled, .fail(.canceled)), (open, .fail(.canceled))]),
        ("a cancel of an open one", [(open, .read), (.canceled, .fail(.canceled)), (.ended, .fail(.canceled))]),
        ("a cancel of one that waits", [(.failed(.connect), .wait(3000)), (.canceled, .fail(.canceled))]),
        ("a cancel after the end", [(.head(status: 204, refusal: nil), .finish), (.canceled, .finish)]),
    ]

    @Test("each event has its action", arguments: 0..<cases.count)
    func table(_ index: Int) {
        var rule = EventSourceRule(retry: 3000, longestRetry: 20000)
        for (number, step) in Self.cases[index].steps.enumerated() {
            let action = rule.handle(step.event, random: 0.999)
            #expect(action == step.action, "\(Self.cases[index].name), step \(number)")
        }
    }

    @Test("after failures in a row a wait grows at random, and up to the longest")
    func growth() {
        for (random, waits) in [(0.0, [3000, 3000, 3000, 3000]), (0.5, [3000, 4500, 7500, 11500])] {
            var rule = EventSourceRule(retry: 3000, longestRetry: 20000)
            for wait in waits {
                #expect(rule.handle(.failed(.connect), random: random) == .wait(Int64(wait)))
                #expect(rule.handle(.waited, random: random) == .connect)
            }
            #expect(rule.handle(Self.open, random: random) == .read)
            #expect(rule.handle(.ended, random: random) == .wait(3000))
        }
    }

    @Test("the last id is kept without events, and may become empty")
    func ids() {
        var rule = EventSourceRule(lastEventID: "7", retry: 3000, longestRetry: 20000)
        for event in [.failed(.connect), .waited, Self.open, .ended] { _ = rule.handle(event, random: 0) }
        #expect(rule.lastEventID == "7")
        _ = rule.handle(.waited, random: 0)
        _ = rule.handle(Self.open, random: 0)
        _ = rule.handle(Self.fields(""), random: 0)
        #expect(rule.lastEventID == "")
    }

    @Test("the state is that of the connection")
    func states() {
        var rule = EventSourceRule(retry: 1, longestRetry: 20000)
        #expect(rule.state == .connecting)
        for (event, state) in [
            (Self.open, EventSourceRule.State.open), (.ended, .waiting), (.waited, .connecting), (.canceled, .closed),
        ] {
            _ = rule.handle(event, random: 0)
            #expect(rule.state == state)
        }
    }
}
