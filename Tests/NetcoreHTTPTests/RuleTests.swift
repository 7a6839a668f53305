import NetcoreHTTP
import NetcoreSupport
import Testing

@Suite struct ProgressTests {
    private let start = MonotonicTime(microseconds: 1_000_000)

    private func timeouts(firstByte: Int = 0, idle: Int = 0, total: Int = 0) -> TimeoutSet {
        var set = TimeoutSet()
        set.firstByte = firstByte
        set.idle = idle
        set.total = total
        return set
    }

    private func deadline(_ stage: Progress.Stage, _ set: TimeoutSet) -> (Int, NetcoreError.Code) {
        var progress = Progress(start: start, taskStart: start)
        progress.stage = stage
        progress.lastActivity = start.adding(milliseconds: 500)
        let (time, code) = progress.deadline(set)
        return (time == .never ? -1 : time.microseconds(since: start) / 1000, code)
    }

    @Test("each stage has its own timeout, counted from the last activity")
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
        for stage in [Progress.Stage.connecting, .sending, .waiting, .receiving] {
            #expect(deadline(stage, timeouts()).0 == -1)
        }
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
