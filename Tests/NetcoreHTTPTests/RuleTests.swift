import NetcoreHTTP
import NetcoreSupport
import Testing

@Suite struct HopTimeTests {
    private let start = MonotonicTime(microseconds: 1_000_000)

    private func timeouts(firstByte: Int = 0, idle: Int = 0, total: Int = 0) -> TimeoutSet {
        var set = TimeoutSet()
        set.firstByte = firstByte
        set.idle = idle
        set.total = total
        return set
    }

    private func deadline(_ step: HopTime.Step, _ set: TimeoutSet) -> (Int, NetcoreError.Code) {
        var hopTime = HopTime(start: start, taskStart: start)
        hopTime.step = step
        hopTime.lastActivity = start.adding(milliseconds: 500)
        let (time, code) = hopTime.deadline(set)
        return (time == .never ? -1 : time.microseconds(since: start) / 1000, code)
    }

    @Test("each step has its own timeout, counted from the last activity")
    func stages() {
        let set = timeouts(firstByte: 100, idle: 200)
        #expect(deadline(.waiting, set) == (600, .timeoutFirstByte))
        #expect(deadline(.receiving, set) == (700, .timeoutIdle))
        #expect(deadline(.sending, set) == (700, .timeoutIdle))
        #expect(deadline(.connecting, set).0 == -1)
    }

    @Test("the total timeout counts from the start, in every stage, and the earlier one rules")
    func total() {
        #expect(deadline(.connecting, timeouts(total: 800)) == (800, .timeoutTotal))
        #expect(deadline(.receiving, timeouts(idle: 200, total: 800)) == (700, .timeoutIdle))
        #expect(deadline(.receiving, timeouts(idle: 200, total: 600)) == (600, .timeoutTotal))
    }

    @Test("0 means none")
    func none() {
        for stage in [HopTime.Step.connecting, .sending, .waiting, .receiving] {
            #expect(deadline(stage, timeouts()).0 == -1)
        }
    }
}

@Suite struct MinimumRateTests {
    private let start = MonotonicTime(microseconds: 1_000_000)
    private let set: TimeoutSet = {
        var set = TimeoutSet()
        set.idle = 0
        set.minimumRate.bytesPerSecond = 100
        set.minimumRate.window = 1000
        return set
    }()

    private func at(_ milliseconds: Int) -> MonotonicTime { start.adding(milliseconds: milliseconds) }

    /// The end of a transfer in milliseconds, and why; what came is (when, how much).
    private func deadline(_ came: [(Int, Int)], _ set: TimeoutSet? = nil) -> (Int, NetcoreError.Code) {
        let set = set ?? self.set
        var hopTime = HopTime(start: start, taskStart: start)
        hopTime.step = .receiving
        hopTime.lastActivity = start
        for (time, bytes) in came {
            hopTime.rateWindow.advance(to: at(time), set.minimumRate)
            _ = hopTime.rateWindow.receive(bytes, at: at(time), set.minimumRate)
        }
        let (time, code) = hopTime.deadline(set)
        return (time == .never ? -1 : time.microseconds(since: start) / 1000, code)
    }

    @Test(
        "a window is judged at its end, and the next begins where enough came",
        arguments: [
            ([], -1),
            ([(500, 1)], 1500),
            ([(500, 99), (1499, 0)], 1500),
            ([(500, 100)], 1500),
            ([(500, 99), (1500, 1)], 1500),
            ([(500, 100), (1500, 1)], 2500),
            ([(500, 99), (1499, 1), (1500, 0)], 2500),
            ([(500, 1_000_000), (1500, 0), (2500, 0)], 2500),
        ] as [([(Int, Int)], Int)])
    func windows(_ came: [(Int, Int)], _ end: Int) {
        let found = deadline(came)
        #expect(found.0 == end)
        #expect(end == -1 || found.1 == .timeoutRate)
    }

    @Test("the earlier of rate and timeouts rules")
    func earlier() {
        var set = set
        set.idle = 200
        #expect(deadline([(0, 1)], set) == (200, .timeoutIdle))
        set.idle = 5000
        set.total = 800
        #expect(deadline([(0, 1)], set) == (800, .timeoutTotal))
        set.total = 5000
        #expect(deadline([(0, 1)], set) == (1000, .timeoutRate))
    }

    @Test("a span that is left out moves the end")
    func leavesOut() {
        var window = RateWindow()
        let began = window.receive(1, at: start, set.minimumRate)
        let beganAgain = window.receive(1, at: at(1), set.minimumRate)
        #expect(began && !beganAgain)
        window.leaveOut(microseconds: 250_000)
        #expect(window.end == at(1250))
    }

    @Test("the largest rate over the longest window needs more than ever comes")
    func largest() {
        var set = set
        set.minimumRate.bytesPerSecond = MinimumRate.largest
        set.minimumRate.window = TimeoutSet.maximum
        let late = TimeoutSet.maximum
        #expect(deadline([(0, 1), (late, .max - 2), (late + 1, 0)], set).0 == late)
    }

    @Test("a rate whose window needs the largest number of bytes that there is")
    func exactlyTheLargest() {
        var set = set
        set.minimumRate.bytesPerSecond = 295_125_532_303
        set.minimumRate.window = 31_252_369  // the product is 2^63 - 1
        let late = set.minimumRate.window
        #expect(deadline([(0, 1), (late, 1)], set).0 == late)
    }
}

@Suite struct ErrorTableTests {
    @Test("each status has its own number, name and message")
    func unique() {
        let table = NetcoreError.Code.table
        #expect(Set(table.map(\.code)).count == table.count)
        #expect(Set(table.map(\.name.description)).count == table.count)
        #expect(Set(table.map(\.message.description)).count == table.count)
        #expect(table.allSatisfy { $0.code == .ok || $0.name.description.hasPrefix("NETCORE_ERR_") })
    }

    @Test("statuses are grouped by hundreds")
    func groups() {
        #expect(NetcoreError.Code.table.allSatisfy { $0.code == .ok || (100..<2000).contains($0.code.rawValue) })
    }

    @Test("a value that is no status has a name too")
    func unknown() {
        #expect(NetcoreError.Code(rawValue: 12345).name == "NETCORE_ERR_UNKNOWN")
        #expect(!NetcoreError.Code(rawValue: 12345).isKnown)
    }
}

@Suite struct SyntaxTests {
    @Test("token bytes are those of RFC 9110 section 5.6.2")
    func token() {
        let expected = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        for byte in UInt8.min...UInt8.max { #expect(Syntax.isTokenByte(byte) == expected.contains(byte)) }
        #expect(!Syntax.isToken("".utf8))
    }

    @Test("a field value has no control byte but tab, wherever it stands", arguments: 0..<20)
    func fieldValue(position: Int) {
        for byte in UInt8.min...UInt8.max {
            var bytes = [UInt8](repeating: 0x61, count: 20)
            bytes[position] = byte
            let isAllowed = byte == 0x09 || (byte >= 0x20 && byte != 0x7F)
            #expect(bytes.withUnsafeBytes { Syntax.isFieldValue($0) } == isAllowed)
        }
    }
}
