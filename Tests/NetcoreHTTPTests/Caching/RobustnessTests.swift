import NetcoreHTTP
import NetcoreSupport
import Testing

@Suite struct RobustnessTests {
    /// Numbers that look random and are the same in each run.
    private struct Draw {
        var state: UInt64

        mutating func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
    }

    private static let pieces = [
        "max-age", "no-store", "no-cache", "=", "=", "\"", "\"", ",", ",", " ", "\t", "60", "-1",
        "99999999999999999999", "1.5",
        "public", "private", "stale-while-revalidate", "\\", ";", "W/", "\"a\"", "*", "bytes", "-", "/", "é", "x", "",
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "must-understand",
    ]

    private static let names = [
        "Cache-Control", "Pragma", "Expires", "Date", "Age", "Last-Modified", "ETag", "Vary", "Connection",
        "Content-Range",
        "Content-Length", "Content-Location", "Location", "Clear-Site-Data", "Cache-Status", "If-None-Match",
        "If-Range",
        "If-Modified-Since", "Range", "Accept", "Accept-Encoding", "Authorization", "If-Match",
    ]

    private func fields(_ draw: inout Draw) -> FieldBlock {
        let result = FieldBlock()
        for _ in 0..<draw.next(8) {
            var value = ""
            for _ in 0..<draw.next(9) { value += Self.pieces[draw.next(Self.pieces.count)] }
            result.append(Self.names[draw.next(Self.names.count)], value)
        }
        return result
    }

    @Test("no field, however broken, stops a rule, and none makes an answer fresh for longer than the longest time")
    func broken() throws {
        var draw = Draw(state: 7)
        let url = try HTTPURL("https://a.example/x")
        for _ in 0..<20_000 {
            let asked = CacheableRequest(
                method: draw.next(4) == 0 ? "POST" : "GET", url: url, fields: fields(&draw), now: at())
            let answer = fields(&draw)
            let settings = draw.next(2) == 0 ? CacheSettings() : sharedSettings
            let directives = ResponseDirectives(answer)
            _ = StoreRule.decide(
                request: asked, status: [200, 206, 304, 404][draw.next(4)], fields: answer, directives: directives,
                settings: settings)
            let head = StoredHead(status: 200, version: nil, fields: answer, requestTime: at(), responseTime: at())
            let variant = StoredVariant(
                head, key: Vary(answer).key(asked.fields), isSecure: true, settings: settings)
            #expect((0...CacheControl.longest).contains(variant.policy.lifetime) && variant.policy.initialAge >= 0)
            let now = at(Int64(draw.next(100_000_000)) - 50_000_000, boot: draw.next(2) == 0 ? 7 : 8)
            if case .serve(let age) = ReuseRule.decide(variant.policy, asked.directives, now: now, settings: settings) {
                #expect(age >= 0 && !variant.policy.isNoCache && !asked.directives.isNoCache)
            }
            let matching = VariantSelection.matches([variant], asked.fields)
            #expect(matching.isEmpty == variant.vary.isAny)
            let sent = ValidationFields([variant], selected: matching.first, request: asked)
            _ = sent.applied(to: asked.fields)
            let news = fields(&draw)
            _ = FresheningRule.select(news, [variant], matching: matching, sent: sent, now: now)
            _ = StoredHeadUpdate.updated(head, with: news, requestTime: at(), responseTime: now, settings: settings)
            _ = HeadRule.decide(variant, status: 200, fields: news, now: now)
            _ = PreconditionRule.evaluate(asked, variant)
            if case .part(let range) = RangeRule.satisfy(asked, variant, length: 10, isBodyDecoded: false) {
                #expect(range.bytes.lowerBound >= 0 && range.bytes.upperBound <= 10 && !range.bytes.isEmpty)
            }
            _ = InvalidationRule.targets("PUT", url, status: 200, fields: answer)
            _ = ServedHead(answer).hitFields(age: 1, timeToLive: 1)
        }
    }

    @Test("directives mean the same on one line as on several")
    func lines() {
        var draw = Draw(state: 11)
        let all = [
            "max-age=60", "max-age=5", "no-store", "no-cache", "no-cache=\"a, b\"", "private", "public", "immutable",
            "must-revalidate", "stale-if-error=9", "x=\"y, z\"", "s-maxage=3", "max-age=x",
        ]
        for _ in 0..<2000 {
            let chosen = (0..<draw.next(6)).map { _ in all[draw.next(all.count)] }
            let joined = block([("Cache-Control", chosen.joined(separator: ", "))])
            let apart = block(chosen.map { ("cache-control", $0) })
            #expect(ResponseDirectives(joined) == ResponseDirectives(apart))
        }
    }
}
