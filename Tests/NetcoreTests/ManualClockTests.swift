import Netcore
import NetcoreHTTP
import Testing

@Suite struct ManualClockTests {
    private func client(
        _ clock: ManualClock, _ answer: StubAnswer, change: (inout Client.Options) -> Void = { _ in }
    ) throws -> Client {
        let stubs = StubTable()
        try stubs.add(Stub("GET", "/", answer))
        var options = Client.Options()
        options.transport = stubs.transport
        options.clock = clock
        change(&options)
        return try Client(options)
    }

    private func request() throws -> Request {
        var request = try Request("GET", "http://app.test/")
        request.timeouts.total = nil
        request.timeouts.firstByte = .seconds(86_400)
        return request
    }

    @Test("a delay is over when the clock has been advanced by it, and not before")
    func delay() async throws {
        let clock = ManualClock()
        let client = try client(clock, StubAnswer(delay: .fixed(.seconds(60))))
        let task = try client.dispatch(request()) { _ in }
        #expect(try clock.waitUntilIdle())
        try clock.advance(by: .milliseconds(59_999))
        #expect(try clock.waitUntilIdle())
        #expect(task.state == .running)
        try clock.advance(by: .milliseconds(1))
        while task.state != .finished { await Task.yield() }
        #expect(clock.elapsed == .seconds(60))
        client.destroy()
    }

    @Test("an automatic clock advances to what is waited for, and no further")
    func automatic() async throws {
        let clock = ManualClock(isAutomatic: true)
        let client = try client(clock, StubAnswer(delay: .fixed(.seconds(3600))))
        let response = try await client.perform(request())
        #expect(response.status == 200 && response.timings.total == 3_600_000_000)
        #expect(clock.elapsed == .seconds(3600))
        client.destroy()
    }

    @Test("what a stub is silent about ends with the timeout, by the clock")
    func timeout() async throws {
        let clock = ManualClock(isAutomatic: true)
        let client = try client(clock, .fault(.silence))
        await #expect { _ = try await client.perform(request()) } throws: {
            ($0 as? NetcoreError)?.code == .timeoutFirstByte
        }
        #expect(clock.elapsed == .seconds(86_400))
        client.destroy()
    }

    @Test("a clock is not advanced by less than nothing, or for ever")
    func misuse() throws {
        let clock = ManualClock()
        for span in [Duration.milliseconds(-1), .seconds(Int64.max)] {
            #expect { try clock.advance(by: span) } throws: { ($0 as? NetcoreError)?.code == .invalidArgument }
        }
        #expect(clock.elapsed == .zero)
    }

    @Test("a client and its cache have the same clock")
    func otherClock() throws {
        #expect {
            _ = try client(ManualClock(), StubAnswer()) { $0.cache = Cache() }
        } throws: {
            ($0 as? NetcoreError)?.argument == "clock"
        }
    }
}
