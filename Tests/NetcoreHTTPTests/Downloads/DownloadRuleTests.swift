import NetcoreHTTP
import Testing

@Suite struct DownloadRuleTests {
    private static let now: Int64 = 1_795_000_000

    private func known(tag: String? = "\"a\"", modified: String? = nil, length: Int64? = 100) -> Representation {
        var known = Representation()
        known.tag = tag
        known.lastModified = modified
        known.length = length
        return known
    }

    private static func block(_ lines: [String]) -> FieldBlock {
        let block = FieldBlock()
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            block.append(String(parts[0]), String(parts[1].drop { $0 == " " }))
        }
        return block
    }

    private func judgeFirst(_ status: Int, _ lines: [String]) -> DownloadRule.Verdict {
        DownloadRule.judge(status, Self.block(lines), to: .init(start: 0, end: 10), nil, now: Self.now)
    }

    private func judge(
        _ status: Int, _ lines: [String], start: Int64 = 40, _ condition: DownloadRule.Condition = .ifRange,
        _ known: Representation? = nil
    ) -> DownloadRule.Verdict {
        DownloadRule.judge(
            status, Self.block(lines), to: .init(start: start, condition: condition), known ?? self.known(),
            now: Self.now)
    }

    // MARK: What is asked for

    @Test("of something unknown the whole is asked for, or its first bytes, without a condition")
    func whole() {
        #expect(DownloadRule.fields(of: DownloadRule.ask(from: 0, of: nil), nil).map(\.value) == ["identity"])
        let first = DownloadRule.ask(from: 0, to: 10, of: nil)
        #expect(first == .init(start: 0, end: 10))
        #expect(DownloadRule.fields(of: first, nil).map(\.value) == ["identity", "bytes=0-9"])
        #expect(DownloadRule.continues(known(tag: nil), isVerified: true))
        #expect(!DownloadRule.continues(known(tag: nil), isVerified: false))
        #expect(DownloadRule.continues(known(), isVerified: false))
    }

    @Test("a tag comes before a date, and a digest makes up for both")
    func conditions() {
        let both = known(modified: "Sun, 22 Nov 2026 10:00:00 GMT")
        let ask = DownloadRule.ask(from: 40, of: both)
        #expect(ask == .init(start: 40, condition: .ifRange))
        #expect(DownloadRule.fields(of: ask, both).map(\.value) == ["identity", "bytes=40-", "\"a\""])
        let date = known(tag: nil, modified: "Sun, 22 Nov 2026 10:00:00 GMT")
        #expect(DownloadRule.fields(of: ask, date).last?.value == "Sun, 22 Nov 2026 10:00:00 GMT")
        #expect(DownloadRule.ask(from: 40, of: known(tag: nil)) == .init(start: 40))
        let second = DownloadRule.ask(from: 0, to: 40, of: both, usesIfMatch: true)
        #expect(second == .init(start: 0, end: 40, condition: .ifMatch))
        #expect(DownloadRule.fields(of: second, both).map(\.name) == ["Accept-Encoding", "Range", "If-Match"])
        #expect(DownloadRule.ask(from: 40, of: date, usesIfMatch: true).condition == .ifRange)
    }

    // MARK: Answers

    @Test("a 200 is the whole, unless it has the tag that was to keep the range")
    func answers200() {
        #expect(judge(200, ["ETag: \"b\""]) == .whole)
        #expect(judge(200, []) == .whole)
        #expect(judge(200, ["ETag: W/\"a\""]) == .whole)
        #expect(judge(200, ["ETag: \"a\""]) == .askWithIfMatch)
        #expect(judge(200, ["ETag: \"a\""], .ifMatch) == .whole)
        #expect(judge(200, ["ETag: \"a\""], start: 0, .none) == .whole)
    }

    @Test(
        "a 206 that is the rest, or begins before it, or ends before the end",
        arguments: ["bytes 40-99/100", "bytes 40-99/*", "bytes 0-99/100", "bytes 39-40/100", "bytes 40-40/100"])
    func parts(range: String) {
        guard case .part(let part) = judge(206, ["ETag: \"a\"", "Content-Range: \(range)"]) else {
            Issue.record("\(range) is refused")
            return
        }
        #expect(part.bytes.contains(40))
    }

    @Test(
        "a 206 that does not fit",
        arguments: [
            [], ["Content-Range: bytes 41-99/100"], ["Content-Range: bytes 0-39/100"],
            ["Content-Range: bytes 40-99/101"], ["Content-Range: bytes */100"], ["Content-Range: bytes 99-40/100"],
            ["Content-Range: lines 40-99/100"], ["Content-Range: bytes 40-99/100", "Content-Range: bytes 40-99/100"],
            ["Content-Type: multipart/byteranges; boundary=a"], ["Content-Range: bytes 40-99/100", "ETag: \"b\""],
            ["Content-Range: bytes 40-99/100", "ETag: W/\"a\""], ["Content-Range: bytes 40-99/100", "ETag: a"],
            ["Content-Range: bytes 40-99/100", "Content-Encoding: gzip"],
            ["Content-Range: bytes 40-99/100", "Content-Length: 59"], ["Content-Range: bytes 40-100/*"],
        ])
    func misfits(lines: [String]) {
        #expect(judge(206, lines) == .startOver)
    }

    @Test("the first part counts with a strong validator and the length, or if it is all")
    func first() {
        let range = ContentRange(bytes: 0..<10, completeLength: 100)
        #expect(judgeFirst(206, ["ETag: \"a\"", "Content-Range: bytes 0-9/100"]) == .first(range))
        #expect(
            judgeFirst(206, ["Content-Range: bytes 0-9/10"]) == .first(.init(bytes: 0..<10, completeLength: 10)))
        #expect(judgeFirst(200, ["ETag: \"a\""]) == .whole)
    }

    @Test(
        "a first part that other parts cannot be put to is asked for whole",
        arguments: [
            ["ETag: W/\"a\"", "Content-Range: bytes 0-9/100"], ["Content-Range: bytes 0-9/100"],
            ["ETag: \"a\"", "Content-Range: bytes 0-9/*"], ["ETag: \"a\"", "Content-Range: bytes 1-9/100"],
            ["ETag: \"a\"", "Content-Range: bytes 0-9/100", "Content-Encoding: gzip"], ["ETag: \"a\""],
            ["ETag: \"a\"", "Content-Range: bytes 0-9/100", "Content-Length: 11"],
        ])
    func firstMisfits(lines: [String]) {
        #expect(judgeFirst(206, lines) == .askForWhole)
        #expect(judgeFirst(416, lines) == .askForWhole)
    }

    @Test("a 206 to If-Match must have the tag; another one need not")
    func missingTags() {
        let lines = ["Content-Range: bytes 40-99/100"]
        #expect(judge(206, lines, .ifMatch) == .startOver)
        #expect(judge(206, lines) != .startOver)
        #expect(judge(206, lines + ["Content-Encoding: identity"]) != .startOver)
    }

    @Test("without a tag, a date in a 206 must be the one that is known")
    func dates() {
        let date = known(tag: nil, modified: "Sun, 22 Nov 2026 10:00:00 GMT")
        let range = "Content-Range: bytes 40-99/100"
        #expect(judge(206, [range], .ifRange, date) != .startOver)
        #expect(judge(206, [range, "Last-Modified: Sun, 22 Nov 2026 10:00:00 GMT"], .ifRange, date) != .startOver)
        #expect(judge(206, [range, "Last-Modified: Sun, 22 Nov 2026 10:00:01 GMT"], .ifRange, date) == .startOver)
    }

    @Test("a 416 that tells the length at hand is the end, where no other one is known; any other starts over")
    func answers416() {
        let unknown = known(length: nil)
        #expect(judge(416, ["Content-Range: bytes */40"], .ifRange, unknown) == .complete)
        #expect(judge(416, ["Content-Range: bytes */40"], .ifRange, known(length: 40)) == .complete)
        #expect(judge(416, ["Content-Range: bytes */40"], .ifRange, known(length: 100)) == .startOver)
        #expect(judge(416, ["Content-Range: bytes */40", "ETag: \"b\""], .ifRange, unknown) == .startOver)
        #expect(judge(416, ["Content-Range: bytes */41"], .ifRange, unknown) == .startOver)
        #expect(judge(416, [], .ifRange, unknown) == .startOver)
    }

    @Test("a 412 starts over where a condition was sent that it answers")
    func answers412() {
        #expect(judge(412, [], .ifMatch) == .startOver)
        guard case .failure(.httpStatus, _) = judge(412, []) else {
            Issue.record("a 412 that nothing asked for")
            return
        }
    }

    @Test("no other status brings a file", arguments: [204, 301, 304, 400, 404, 416, 500, 503])
    func others(status: Int) {
        guard case .failure(.httpStatus, _) = judge(status, [], start: 0, .none) else {
            Issue.record("\(status) brings a file")
            return
        }
    }

    @Test("a part that was not asked for breaks HTTP")
    func uncalledFor() {
        guard case .failure(.protocol, _) = judge(206, ["Content-Range: bytes 0-99/100"], start: 0, .none) else {
            Issue.record("it is taken")
            return
        }
    }

    // MARK: Waiting

    @Test("what is worth another request")
    func resumable() {
        for code: NetcoreError.Code in [.truncated, .connectionLost, .timeoutIdle, .connect, .resolve] {
            #expect(DownloadRule.isWorthResuming(code, status: 0))
        }
        for code: NetcoreError.Code in [.timeoutTotal, .storage, .canceled, .protocol, .integrity, .tlsCertificate] {
            #expect(!DownloadRule.isWorthResuming(code, status: 0))
        }
        #expect(DownloadRule.isWorthResuming(.httpStatus, status: 503))
        #expect(!DownloadRule.isWorthResuming(.httpStatus, status: 404))
    }

    @Test("the first time at once, then after a wait that doubles up to 10 s")
    func waits() {
        #expect(
            (1...9).map { DownloadRule.longestWait(before: $0) } == [
                0, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000,
            ])
        #expect(DownloadRule.longestWait(before: 1_000_000) == 10_000)
    }
}

@Suite struct RepresentationTests {
    private func block(_ lines: [(String, String)]) -> FieldBlock {
        let block = FieldBlock()
        for (name, value) in lines { block.append(name, value) }
        return block
    }

    @Test("weak tags and dates that are not strong are no validators")
    func validators() {
        let now: Int64 = 1_795_000_000
        #expect(Representation(block([("ETag", "W/\"a\"")]), now: now).validator == nil)
        #expect(Representation(block([("ETag", "\"a\"")]), now: now).validator == "\"a\"")
        let date = ("Last-Modified", "Sun, 22 Nov 2026 10:00:00 GMT")
        #expect(Representation(block([date]), now: now).validator == nil)
        #expect(Representation(block([date, ("Date", date.1)]), now: now).validator == nil)
        #expect(Representation(block([date, ("Date", "Sun, 22 Nov 2026 10:00:01 GMT")]), now: now).validator == date.1)
    }

    @Test("of a coded body nothing is known")
    func coded() {
        let fields = block([("ETag", "\"a\""), ("Content-Length", "5"), ("Content-Encoding", "gzip")])
        #expect(Representation(fields, now: 0) == Representation())
    }

    @Test("what is kept is read back, by its key only")
    func kept() {
        var known = Representation()
        known.tag = "\"a b\""
        known.lastModified = "Sun, 22 Nov 2026 10:00:00 GMT"
        known.length = 1 << 40
        known.digest = Array(0..<32)
        #expect(Representation(text: known.text(key: "k"), key: "k") == known)
        #expect(Representation(text: known.text(key: "k"), key: "l") == nil)
        #expect(Representation(text: "", key: "k") == nil)
        #expect(Representation.length(in: known.text(key: "k")) == 1 << 40)
    }

    // RFC 9530 appendix B.1: the digest of {"hello": "world"} and a line feed.
    @Test(
        "the SHA-256 digest of Repr-Digest (RFC 9530)",
        arguments: [
            ("sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:", true),
            ("sha-512=:AAAA:, sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:", true),
            ("sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:;a=1 , md5=:AA==:", true),
            ("sha-256=:AAAA:", false), ("sha-256=RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=", false),
            ("sha-512=:AAAA:", false), ("sha-256", false), ("", false), (":::", false), ("sha-256=::", false),
        ])
    func reprDigest(value: String, isThere: Bool) {
        let found = ReprDigest.sha256(block([("Repr-Digest", value)]))
        #expect(
            found.map { Hexadecimal.text($0) }
                == (isThere ? "44aff4ab2d7c3250525675a08f0cfa9591168cffe51791c5f5bbc417c15a6c38" : nil))
    }

    @Test("a rate is a mean over the last seconds, and tells the time that is left")
    func rate() {
        var rate = DownloadRate(now: .init(microseconds: 0))
        #expect(rate.bytesPerSecond == nil && rate.milliseconds(for: 1) == nil)
        for tenth in 1...100 { rate.add(1000, now: .init(microseconds: tenth * 100_000)) }
        #expect(rate.bytesPerSecond == 10_000)
        #expect(rate.milliseconds(for: 20_000) == 2000)
        for tenth in 101...400 { rate.add(100, now: .init(microseconds: tenth * 100_000)) }
        #expect((1000...1001).contains(rate.bytesPerSecond ?? 0))
    }
}
