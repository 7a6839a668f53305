import Netcore
import NetcoreHTTP
import Testing

/// A wall clock that jumps a day and a decade, both ways.
@Suite struct CacheClockTests {
    private static let day: Int64 = 86_400_000
    static let jumps = [day, -day, 3650 * day, -3650 * day]

    enum Level: CaseIterable {
        case memory, disk, restarted, rebooted
    }

    private let folder = ModelFolder()

    private func bench(_ level: Level, _ clock: ModelClock = ModelClock()) throws -> CacheBench {
        try CacheBench(clock: clock) { if level != .memory { $0.folder = folder.path } }
    }

    /// Makes that what is stored comes from that level: a new cache for those that outlive the old one.
    private func move(_ bench: CacheBench, to level: Level) throws -> CacheBench {
        switch level {
        case .memory: return bench
        case .disk:
            bench.cache.setLimits(memoryCount: 0)
            bench.cache.setLimits(memoryCount: 100)
            return bench
        case .restarted, .rebooted:
            bench.client.destroy()
            bench.cache.flush()
            if level == .rebooted { bench.clock.reboot() }
            return try self.bench(level, bench.clock)
        }
    }

    @Test(
        "within one boot an answer is fresh exactly as long as it says, whatever the wall clock does",
        arguments: jumps, [Level.memory, .disk, .restarted])
    func sameBoot(jump: Int64, level: Level) throws {
        let first = try bench(level)
        try first.store()
        first.clock.jump(jump)
        first.clock.advance(59_000)
        let second = try move(first, to: level)
        let fresh = try second.get()
        #expect(fresh.cacheResult == .hit && fresh.response?.headers["age"] == "59")
        second.clock.advance(1000)
        #expect(try second.get().cacheResult == .expired)
        // What came after the jump is fresh for a minute too, and then no longer.
        #expect(try second.get().text == "new")
        second.clock.advance(60_000)
        #expect(try second.get().cacheResult == .expired)
    }

    @Test("a clock that jumps there and back changes nothing", arguments: jumps, [Level.memory, .disk, .restarted])
    func thereAndBack(jump: Int64, level: Level) throws {
        let first = try bench(level)
        first.clock.jump(jump)
        try first.store()
        first.clock.jump(-jump)
        let second = try move(first, to: level)
        #expect(try second.get().cacheResult == .hit)
        second.clock.advance(60_000)
        #expect(try second.get().cacheResult == .expired)
        #expect(try second.get().cacheResult == .hit)
    }

    @Test("after a new boot the wall clock tells; what was stored in the future is never fresh", arguments: jumps)
    func otherBoot(jump: Int64) throws {
        let first = try bench(.rebooted)
        try first.store()
        first.clock.jump(jump)
        let second = try move(first, to: .rebooted)
        let only = try second.get(with: { $0.cacheOptions.mode = .cacheOnly })
        #expect(only.cacheResult == .staleHit && only.text == "old")
        #expect(only.response?.headers["age"] == (jump > 0 ? "\(jump / 1000)" : "\(1 << 31)"))
        #expect(try second.get().cacheResult == .expired)
        let again = try second.get()
        #expect(again.cacheResult == .hit && again.text == "new")
        // And the new answer is what is found from now on, on disk as well.
        let third = try move(second, to: .restarted)
        #expect(try third.get().text == "new")
    }

    @Test("after a new boot without a jump an answer is fresh as long as it says")
    func rebooted() throws {
        let first = try bench(.rebooted)
        try first.store()
        first.clock.advance(30_000)
        let second = try move(first, to: .rebooted)
        #expect(try second.get().response?.headers["age"] == "30")
        second.clock.advance(30_000)
        #expect(try second.get().cacheResult == .expired)
    }

    @Test("an answer in the future is not fresh for ever, though its time comes", arguments: [day, 3650 * day])
    func future(jump: Int64) throws {
        let clock = ModelClock()
        let first = try bench(.rebooted, clock)
        clock.jump(jump)
        let date = HTTPDate.format(clock.rightSeconds)
        // The origin's clock is right: by its date the answer is as old as the clock is wrong.
        try first.store(["Cache-Control: max-age=60", "Date: \(date)"])
        clock.jump(-jump)
        let second = try move(first, to: .rebooted)
        clock.advance(jump)
        #expect(try second.get().cacheResult == .expired)
    }

    @Test(
        "with dates by an origin whose clock is right, a wrong clock never makes an answer live longer",
        arguments: jumps, ["Cache-Control: max-age=60", "Expires: "])
    func dates(jump: Int64, field: String) throws {
        let bench = try bench(.memory)
        bench.clock.jump(jump)
        let right = bench.clock.rightSeconds
        let lifetime = field == "Expires: " ? field + HTTPDate.format(right + 60) : field
        try bench.store([lifetime, "Date: \(HTTPDate.format(right))"])
        // By a clock that is ahead the answer was old when it came.
        #expect(try bench.get().cacheResult == (jump > 0 ? .expired : .hit))
        bench.clock.advance(60_000)
        #expect(try bench.get().cacheResult == .expired)
    }

    @Test("a time to live counts by the boot clock", arguments: jumps)
    func timeToLive(jump: Int64) throws {
        let bench = try bench(.memory)
        func get() throws -> CacheResult? {
            try bench.get(with: { $0.cacheOptions.timeToLive = .seconds(30) }).cacheResult
        }
        _ = try get()
        bench.clock.jump(jump)
        bench.clock.advance(29_000)
        #expect(try get() == .hit)
        bench.clock.advance(1000)
        #expect(try get() == .expired)
    }

    @Test(
        "a validation after a jump makes the answer fresh again", arguments: jumps,
        [Level.memory, .disk, .restarted, .rebooted])
    func validated(jump: Int64, level: Level) throws {
        let first = try bench(level)
        try first.store(["Cache-Control: max-age=60", "ETag: \"1\""])
        first.clock.jump(jump)
        first.clock.advance(60_000)
        let second = try move(first, to: level)
        let confirmed = try second.get { $0.answer(304, ["Cache-Control: max-age=60", "ETag: \"1\""]) }
        #expect(confirmed.cacheResult == .revalidated && confirmed.text == "old")
        #expect(confirmed.response?.headers["age"] == "0")
        let third = try move(second, to: level)
        #expect(try third.get().cacheResult == .hit)
        third.clock.advance(60_000)
        #expect(try third.get { $0.answer(304, ["ETag: \"1\""]) }.cacheResult == .revalidated)
    }
}
