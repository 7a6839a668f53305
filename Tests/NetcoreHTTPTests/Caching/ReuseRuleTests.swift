import NetcoreHTTP
import NetcoreSupport
import Testing

@Suite struct ReuseRuleTests {
    /// What becomes of an answer with these directives, so many seconds after it came.
    private func decide(
        _ response: String, _ asked: String, after elapsed: Int64, shared: Bool = false, isSecure: Bool = true,
        timeToLive: Int64? = nil, settings: CacheSettings? = nil
    ) -> Reuse {
        let settings = settings ?? (shared ? sharedSettings : CacheSettings())
        let policy = policy("Cache-Control: \(response)", isSecure: isSecure, settings: settings)
        let directives = RequestDirectives(asked.isEmpty ? block() : block("Cache-Control: \(asked)"))
        return ReuseRule.decide(policy, directives, now: seconds(elapsed), settings: settings, timeToLive: timeToLive)
    }

    @Test("a fresh answer is served with its age, a stale one validated")
    func plain() {
        #expect(decide("max-age=60", "", after: 0) == .serve(age: 0))
        #expect(decide("max-age=60", "", after: 59) == .serve(age: 59))
        #expect(decide("max-age=60", "", after: 60) == .validate(.stale, onError: .passOn))
        #expect(decide("max-age=0", "", after: 0) == .validate(.stale, onError: .passOn))
    }

    @Test(
        "directives of the request against an answer that is fresh for 100 seconds",
        arguments: [
            ("no-cache", 10, false), ("max-age=0", 0, false), ("max-age=9", 10, false), ("max-age=10", 10, true),
            ("max-age=200", 99, true), ("min-fresh=90", 10, true), ("min-fresh=91", 10, false), ("no-store", 10, true),
            ("max-stale", 10, true), ("max-age=x", 10, false), ("min-fresh=x", 10, false), ("only-if-cached", 10, true),
            ("max-age=5, max-stale=100", 10, false), ("unknown=1", 10, true),
        ] as [(String, Int64, Bool)])
    func fresh(asked: String, elapsed: Int64, isServed: Bool) {
        let expected: Reuse = isServed ? .serve(age: elapsed) : .validate(.request, onError: .passOn)
        #expect(decide("max-age=100", asked, after: elapsed) == expected)
    }

    @Test(
        "max-stale takes a stale answer, unless the answer forbids it",
        arguments: [
            ("max-age=10", "max-stale", 100_000, true), ("max-age=10", "max-stale=5", 15, true),
            ("max-age=10", "max-stale=5", 16, false), ("max-age=10", "max-stale=x", 11, false),
            ("max-age=10", "max-stale, no-cache", 11, false), ("max-age=10", "max-stale, min-fresh=1", 11, false),
            ("max-age=10", "max-stale, max-age=10", 11, false), ("max-age=10", "max-stale, max-age=20", 11, true),
            ("max-age=10, must-revalidate", "max-stale", 11, false), ("max-age=10, no-cache", "max-stale", 11, false),
            ("max-age=10, proxy-revalidate", "max-stale", 11, true),
        ] as [(String, String, Int64, Bool)])
    func maxStale(response: String, asked: String, elapsed: Int64, isServed: Bool) {
        let found = decide(response, asked, after: elapsed)
        #expect((found == .serve(age: elapsed)) == isServed)
    }

    @Test("in a shared cache proxy-revalidate and s-maxage forbid stale answers")
    func shared() {
        #expect(
            decide("max-age=10, proxy-revalidate", "max-stale", after: 11, shared: true)
                == .validate(.stale, onError: .gatewayTimeout))
        #expect(
            decide("s-maxage=10", "max-stale", after: 11, shared: true) == .validate(.stale, onError: .gatewayTimeout))
    }

    @Test(
        "stale-while-revalidate serves a stale answer and validates it meanwhile",
        arguments: [
            ("max-age=10, stale-while-revalidate=5", "", 10, true),
            ("max-age=10, stale-while-revalidate=5", "", 14, true),
            ("max-age=10, stale-while-revalidate=5", "", 15, false),
            ("max-age=10, stale-while-revalidate=5", "max-age=10", 11, false),
            ("max-age=10, stale-while-revalidate=5", "min-fresh=1", 11, false),
            ("max-age=10, stale-while-revalidate=5", "no-cache", 11, false),
            ("max-age=10, stale-while-revalidate=x", "", 11, false),
            ("max-age=10, stale-while-revalidate=5, must-revalidate", "", 11, false),
            ("max-age=10, stale-while-revalidate=5, no-cache", "", 11, false),
        ] as [(String, String, Int64, Bool)])
    func staleWhileRevalidate(response: String, asked: String, elapsed: Int64, isServed: Bool) {
        #expect((decide(response, asked, after: elapsed) == .serveWhileRevalidating(age: elapsed)) == isServed)
    }

    @Test(
        "what becomes of a failed validation",
        arguments: [
            ("max-age=10", "", 11, .passOn), ("max-age=10, stale-if-error=5", "", 15, .serveStale(onErrorStatus: true)),
            ("max-age=10, stale-if-error=5", "", 16, .passOn),
            ("max-age=10", "stale-if-error=5", 15, .serveStale(onErrorStatus: true)),
            ("max-age=10", "stale-if-error=5", 16, .passOn),
            ("max-age=10, stale-if-error=50", "stale-if-error=5", 16, .passOn),
            ("max-age=10, stale-if-error=50", "no-cache", 11, .passOn),
            ("max-age=10", "no-cache, stale-if-error=5", 11, .serveStale(onErrorStatus: true)),
            ("max-age=10, stale-if-error=50, must-revalidate", "", 11, .gatewayTimeout),
            ("max-age=10, must-revalidate", "", 11, .gatewayTimeout), ("no-cache", "", 0, .gatewayTimeout),
            ("max-age=10, no-cache, stale-if-error=50", "", 1, .gatewayTimeout),
            ("max-age=10, must-revalidate", "stale-if-error=50", 11, .gatewayTimeout),
        ] as [(String, String, Int64, ErrorFallback)])
    func fallback(response: String, asked: String, elapsed: Int64, expected: ErrorFallback) {
        guard case .validate(_, let found) = decide(response, asked, after: elapsed) else {
            Issue.record("served")
            return
        }
        #expect(found == expected)
    }

    @Test("a cache may be told to serve stale answers when the origin is out of reach")
    func disconnected() {
        var settings = CacheSettings()
        settings.servesStaleWhenDisconnected = true
        #expect(
            decide("max-age=10", "", after: 11, settings: settings)
                == .validate(.stale, onError: .serveStale(onErrorStatus: false)))
        #expect(
            decide("max-age=10, must-revalidate", "", after: 11, settings: settings)
                == .validate(.stale, onError: .gatewayTimeout))
    }

    @Test(
        "status codes that count as errors",
        arguments: [
            (500, true), (501, false), (502, true), (503, true), (504, true), (505, false), (404, false), (200, false),
        ])
    func errors(status: Int, isError: Bool) { #expect(ErrorFallback.isError(status) == isError) }

    @Test("no-cache of the answer asks for validation however fresh it is")
    func noCache() {
        #expect(decide("max-age=60, no-cache", "", after: 1) == .validate(.stale, onError: .gatewayTimeout))
        #expect(decide("max-age=60, no-cache=\"set-cookie\"", "", after: 1) == .serve(age: 1))
    }

    @Test(
        "only-if-cached never asks the origin",
        arguments: [
            ("max-age=10", "only-if-cached", 5, .serve(age: 5)), ("max-age=10", "only-if-cached", 11, .gatewayTimeout),
            ("max-age=10", "only-if-cached, max-stale", 11, .serve(age: 11)),
            ("max-age=10", "only-if-cached, no-cache", 5, .gatewayTimeout),
            ("max-age=10, stale-while-revalidate=5", "only-if-cached", 11, .serve(age: 11)),
            ("no-cache", "only-if-cached", 5, .gatewayTimeout),
        ] as [(String, String, Int64, Reuse)])
    func onlyIfCached(response: String, asked: String, elapsed: Int64, expected: Reuse) {
        #expect(decide(response, asked, after: elapsed) == expected)
    }

    @Test("an immutable answer needs no validation while it is fresh, unless no-cache insists")
    func immutable() {
        #expect(decide("max-age=60, immutable", "max-age=0", after: 5) == .serve(age: 5))
        #expect(decide("max-age=60, immutable", "no-cache", after: 5) == .validate(.request, onError: .passOn))
        #expect(decide("max-age=60, immutable", "max-age=0", after: 60) == .validate(.stale, onError: .passOn))
        #expect(decide("max-age=60, immutable", "min-fresh=60", after: 5) == .validate(.request, onError: .passOn))
        #expect(decide("max-age=60, immutable", "max-age=0", after: 5, isSecure: false) == .serve(age: 5))
        #expect(
            decide("max-age=60, immutable", "max-age=0", after: 5, shared: true, isSecure: false)
                == .validate(.request, onError: .passOn))
    }

    @Test("the application's lifetime stands for all that the answer says of freshness")
    func timeToLive() {
        #expect(decide("max-age=0", "", after: 9, timeToLive: 10_000) == .serve(age: 9))
        #expect(decide("no-cache", "", after: 9, timeToLive: 10_000) == .serve(age: 9))
        #expect(decide("max-age=600", "", after: 10, timeToLive: 10_000) == .validate(.stale, onError: .passOn))
        #expect(
            decide("max-age=600, no-cache", "", after: 10, timeToLive: 10_000)
                == .validate(.stale, onError: .gatewayTimeout))
        #expect(decide("max-age=0", "no-cache", after: 9, timeToLive: 10_000) == .validate(.request, onError: .passOn))
        let old = policy("Cache-Control: max-age=60", "Age: 1000")
        let plain = RequestDirectives()
        #expect(
            ReuseRule.decide(old, plain, now: seconds(1), settings: CacheSettings(), timeToLive: 2000) == .serve(age: 1)
        )
    }

    @Test("an answer whose age cannot be told is served to a caller that takes any")
    func unknownAge() {
        let policy = policy("Cache-Control: max-age=60, stale-while-revalidate=600, stale-if-error=600")
        let now = at(-1, boot: 8)
        let settings = CacheSettings()
        #expect(
            ReuseRule.decide(policy, RequestDirectives(), now: now, settings: settings)
                == .validate(.stale, onError: .passOn))
        let any = RequestDirectives(block("Cache-Control: max-stale"))
        #expect(ReuseRule.decide(policy, any, now: now, settings: settings) == .serve(age: 1 << 31))
    }
}
