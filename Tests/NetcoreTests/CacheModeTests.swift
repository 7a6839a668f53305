import Netcore
import NetcoreHTTP
import Testing

/// What each mode does with what is stored, and what it leaves.
@Suite struct CacheModeTests {
    enum Stored {
        case none, fresh, stale
    }

    struct Row: Sendable {
        let mode: CacheMode
        let stored: Stored
        let isDown: Bool
        /// What the task sees: texts of answers, "504" for the cache's own, "-" for an error.
        let seen: [String]
        let result: CacheResult
        let sent: Int
        /// What is stored afterwards.
        let left: String

        init(
            _ mode: CacheMode, _ stored: Stored, down isDown: Bool = false, _ seen: [String],
            _ result: CacheResult = .none,
            sent: Int, left: String
        ) {
            self.mode = mode
            self.stored = stored
            self.isDown = isDown
            self.seen = seen
            self.result = result
            self.sent = sent
            self.left = left
        }
    }

    static let rows = [
        Row(.standard, .none, ["new"], .notCached, sent: 1, left: "new"),
        Row(.standard, .fresh, ["old"], .hit, sent: 0, left: "old"),
        Row(.standard, .stale, ["new"], .expired, sent: 1, left: "new"),
        Row(.standard, .stale, down: true, ["-"], sent: 1, left: "old"),
        Row(.ignore, .none, ["new"], .requested, sent: 1, left: "504"),
        Row(.ignore, .fresh, ["new"], .requested, sent: 1, left: "old"),
        Row(.ignore, .fresh, down: true, ["-"], sent: 1, left: "old"),
        Row(.reload, .none, ["new"], .requested, sent: 1, left: "new"),
        Row(.reload, .fresh, ["new"], .requested, sent: 1, left: "new"),
        Row(.reload, .fresh, down: true, ["-"], sent: 1, left: "old"),
        Row(.cacheOnly, .none, ["504"], .unsatisfiable, sent: 0, left: "504"),
        Row(.cacheOnly, .fresh, ["old"], .hit, sent: 0, left: "old"),
        Row(.cacheOnly, .stale, ["old"], .staleHit, sent: 0, left: "old"),
        Row(.cacheElseNetwork, .none, ["new"], .notCached, sent: 1, left: "new"),
        Row(.cacheElseNetwork, .fresh, ["old"], .hit, sent: 0, left: "old"),
        Row(.cacheElseNetwork, .stale, ["old"], .staleHit, sent: 0, left: "old"),
        Row(.cacheElseNetwork, .none, down: true, ["-"], sent: 1, left: "504"),
        Row(.networkElseCache, .none, ["new"], .notCached, sent: 1, left: "new"),
        Row(.networkElseCache, .fresh, ["new"], .requested, sent: 1, left: "new"),
        Row(.networkElseCache, .none, down: true, ["-"], sent: 1, left: "504"),
        Row(.networkElseCache, .fresh, down: true, ["old"], .hit, sent: 1, left: "old"),
        Row(.networkElseCache, .stale, down: true, ["old"], .staleHit, sent: 1, left: "old"),
        Row(.cacheThenNetwork, .none, ["new"], .notCached, sent: 1, left: "new"),
        Row(.cacheThenNetwork, .fresh, ["old", "new"], .requested, sent: 1, left: "new"),
        Row(.cacheThenNetwork, .stale, ["old", "new"], .requested, sent: 1, left: "new"),
        Row(.cacheThenNetwork, .fresh, down: true, ["old", "-"], sent: 1, left: "old"),
        Row(.never, .none, ["new"], .requested, sent: 1, left: "504"),
        Row(.never, .fresh, ["new"], .requested, sent: 1, left: "504"),
        Row(.never, .fresh, down: true, ["-"], sent: 1, left: "504"),
    ]

    @Test("what a mode serves, sends and leaves", arguments: rows, [false, true])
    func mode(row: Row, isOnDisk: Bool) throws {
        let folder = ModelFolder()
        let bench = try CacheBench { if isOnDisk { $0.folder = folder.path } }
        if row.stored != .none { try bench.store() }
        if row.stored == .stale { bench.clock.advance(100_000) }
        if isOnDisk {
            bench.cache.setLimits(memoryCount: 0)
            bench.cache.setLimits(memoryCount: 100)
        }
        let before = bench.transport.count
        let isDown = row.isDown
        bench.transport.answer { exchange in
            if isDown { exchange.fail(.connect) } else { exchange.answer(200, ["Cache-Control: max-age=60"], "new") }
        }
        let events = try bench.dispatch(bench.request { $0.cacheOptions.mode = row.mode }).events.wait(
            for: row.seen.count)
        #expect(events.map(Self.text) == row.seen)
        #expect(events.map(\.isEarly) == Array(repeating: true, count: row.seen.count - 1) + [false])
        if let last = events.last?.response { #expect(last.cacheResult == row.result) }
        if events.count == 2 { #expect(events[0].response?.isProvisional == true) }
        #expect(bench.transport.count - before == row.sent)
        #expect(Self.text(try bench.get(with: { $0.cacheOptions.mode = .cacheOnly })) == row.left)
    }

    private static func text(_ event: CacheBench.Event) -> String {
        guard let response = event.response else { return "-" }
        return response.status == 504 ? "504" : response.text
    }
}
