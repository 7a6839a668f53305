import NetcoreHTTP
import Testing

@Suite struct RetryBudgetTests {
    /// `#expect` cannot hold a call that changes its value.
    private func expect<Value: Equatable>(
        _ value: Value, _ expected: Value, at location: SourceLocation = #_sourceLocation
    ) {
        #expect(value == expected, sourceLocation: location)
    }

    @Test("ten retries at once, then one a second")
    func time() {
        var budget = RetryBudget(.init(), now: 0)
        let drawn = (0..<12).map { _ in budget.draw(now: 0) }
        #expect(drawn == Array(repeating: true, count: 10) + [false, false])
        expect(budget.draw(now: 999), false)
        expect(budget.draw(now: 1000), true)
        expect(budget.draw(now: 1000), false)
    }

    @Test("five successes pay for a retry")
    func successes() {
        var figures = RetryPolicy.Budget()
        figures.perSecond = 0
        var budget = RetryBudget(figures, now: 0)
        while budget.draw(now: 0) {}
        for _ in 0..<4 { budget.succeeded(now: 0) }
        expect(budget.draw(now: 0), false)
        budget.succeeded(now: 0)
        expect(budget.draw(now: 0), true)
        expect(budget.draw(now: 1_000_000), false)
    }

    @Test("it holds no more than its capacity, and is full again after that much time")
    func capacity() {
        var budget = RetryBudget(.init(), now: 0)
        for _ in 0..<100 { budget.succeeded(now: 0) }
        expect(budget.tokens(now: .max), 10)
        for _ in 0..<3 { _ = budget.draw(now: .max) }
        expect(budget.isFull(now: .max), false)
        var other = RetryBudget(.init(), now: 0)
        for _ in 0..<3 { _ = other.draw(now: 0) }
        expect(other.isFull(now: 2_999), false)
        expect(other.isFull(now: 3_000), true)
    }

    @Test("a clock that goes back fills nothing and takes nothing")
    func backwards() {
        var budget = RetryBudget(.init(), now: 5_000)
        while budget.draw(now: 5_000) {}
        expect(budget.draw(now: 0), false)
        expect(budget.draw(now: 5_999), false)
        expect(budget.draw(now: 6_000), true)
    }

    @Test("whatever fails for ever, retries stay below the capacity, one a second, and a fifth of the successes")
    func bound() {
        var budget = RetryBudget(.init(), now: 0)
        var retries = 0
        for request in 0..<100_000 {
            let now = Int64(request)  // a request each millisecond
            if request % 10 < 3 { budget.succeeded(now: now) } else if budget.draw(now: now) { retries += 1 }
        }
        #expect(retries <= 10 + 100 + 30_000 / 5)
        #expect(retries > 6_000)
    }
}

@Suite struct RetryBudgetsTests {
    private let figures = RetryPolicy.Budget()

    @Test("each origin has its own budget, and requests with other figures another one")
    func origins() {
        var budgets = RetryBudgets()
        var drawn = 0
        while budgets.draw(for: "http://a", figures, now: 0) { drawn += 1 }
        #expect(drawn == 10)
        var others = figures
        others.tokens = 2
        var results = [budgets.draw(for: "http://b", figures, now: 0), budgets.draw(for: "http://a", others, now: 0)]
        #expect(results == [true, true])
        results = [budgets.draw(for: "http://a", figures, now: 0), budgets.draw(for: "http://a", nil, now: 0)]
        #expect(results == [false, true])
        for _ in 0..<5 { budgets.noteSuccess(of: "http://a", figures, now: 0) }
        results = [budgets.draw(for: "http://a", figures, now: 0), budgets.draw(for: "http://a", figures, now: 0)]
        #expect(results == [true, false])
    }

    @Test("budgets that are full again are forgotten, and a flood of origins is bounded")
    func bound() {
        var budgets = RetryBudgets()
        for index in 0..<256 { _ = budgets.draw(for: "http://\(index)", figures, now: 0) }
        _ = budgets.draw(for: "http://later", figures, now: 1_000)
        #expect(budgets.count == 1)
        var still = figures
        still.perSecond = 0
        for index in 0..<10_000 { _ = budgets.draw(for: "http://\(index)", still, now: 2_000) }
        #expect(budgets.count <= RetryBudgets.most)
    }

    @Test("those with the fewest tokens are kept")
    func emptiest() {
        var budgets = RetryBudgets()
        var figures = figures
        figures.perSecond = 0
        while budgets.draw(for: "http://down", figures, now: 0) {}
        for index in 0..<10_000 { _ = budgets.draw(for: "http://\(index)", figures, now: 0) }
        let isAllowed = budgets.draw(for: "http://down", figures, now: 0)
        #expect(!isAllowed)
    }
}

@Suite struct RetryAfterTests {
    private func parse(_ text: String, now: Int64 = 784_111_777) -> Int64? {
        var text = text
        return text.withUTF8 { RetryAfter.parse(UnsafeRawBufferPointer($0), now: now) }
    }

    @Test(
        "seconds or a date; a date in the past is 0; anything else is nothing",
        arguments: [
            ("0", 0), ("120", 120_000), ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sun, 06 Nov 1994 08:50:37 GMT", 60_000),
            ("Sun, 06 Nov 1994 08:00:00 GMT", 0), ("-1", nil), ("+1", nil), ("1.5", nil), ("1 s", nil), ("", nil),
            ("soon", nil), ("99999999999999999999", Int64.max),
        ] as [(String, Int64?)])
    func fields(text: String, milliseconds: Int64?) { #expect(parse(text) == milliseconds) }
}
