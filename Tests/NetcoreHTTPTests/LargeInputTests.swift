import NetcoreHTTP
import Testing

/// Fields as large as a header section may be, and files of many lines. Each takes milliseconds where the cost grows
/// with the size, and many minutes where it grows with the square of it.
@Suite("Large input", .timeLimit(.minutes(5)))
struct LargeInputTests {
    private static let size = 250_000

    private static func filled(_ pattern: String, _ size: Int = size) -> String {
        String(repeating: pattern, count: size / pattern.utf8.count)
    }

    /// A head as libcurl hands it over.
    private func head(_ lines: [String]) throws -> FieldBlock {
        var parser = HeadParser()
        parser.begin(limit: 1 << 20)
        for line in ["HTTP/1.1 200 OK"] + lines + [""] {
            _ = try Array((line + "\r\n").utf8).withUnsafeBytes { try parser.consume($0) }
        }
        return try #require(parser.fields)
    }

    @Test(
        "Cache-Control whose quoted strings have no end",
        arguments: [("\"", "\\\""), ("a=\"", "\\\""), ("a=\"", ",\\\""), ("a=\"b\"\"", "\\\" ")])
    func quotes(start: String, rest: String) {
        let value = start + Self.filled(rest) + ", no-store, public, max-age=60"
        let directives = ResponseDirectives(block([("Cache-Control", value)]))
        #expect(directives.isNoStore && !directives.isPublic && directives.maxAge == 0)
    }

    @Test("folded lines are joined, each once")
    func folded() throws {
        let fields = try head(["Cache-Control: \""] + Array(repeating: " \\\"\\\"", count: 50_000))
        #expect(fields.count == 1 && fields.value(at: 0).count == 1 + 50_000 * 5)
        #expect(ResponseDirectives(fields).maxAge == 0)
    }

    @Test("values of a name that many fields have")
    func values() {
        let fields = block(Array(repeating: ("WWW-Authenticate", "Basic realm=a"), count: 100_000))
        let headers = Headers(fields)
        #expect(headers.values(of: "www-authenticate").count == 100_000)
        #expect(headers["www-authenticate"]?.utf8.count == 100_000 * 15 - 2)
        #expect(fields.joinedValue(of: "www-authenticate")?.count == 100_000 * 15 - 2)
    }

    @Test("a stored head is merged with one of as many other fields")
    func merge() {
        let stored = StoredHead(
            status: 200, version: nil, fields: block((0..<60_000).map { ("a\($0)", "") }), requestTime: at(),
            responseTime: at())
        let updated = StoredHeadUpdate.updated(
            stored, with: block((30_000..<90_000).map { ("A\($0)", "x") }), requestTime: at(), responseTime: at(),
            settings: CacheSettings())
        #expect(updated.fields.count == 90_001)
        #expect(!StoredHeadUpdate.fits(updated, limit: 500_000) && StoredHeadUpdate.fits(updated, limit: 1_000_000))
    }

    @Test("an answer that varies by more fields than are compared is for no other request")
    func vary() {
        let some = Vary(block([("Vary", (0..<100).map { "a\($0)" }.joined(separator: ","))]))
        #expect(!some.isAny && some.names.count == 100)
        #expect(Vary(block([("Vary", (0..<101).map { "a\($0)" }.joined(separator: ","))])).isAny)
        #expect(Vary(block([("Vary", (0..<50_000).map { "a\($0)" }.joined(separator: ","))])).isAny)
    }

    @Test("of many Locations the first few are invalidated")
    func locations() throws {
        let fields = block((0..<20_000).map { (["Location", "Content-Location"][$0 % 2], "/\($0)") })
        let targets = InvalidationRule.targets("POST", try HTTPURL("http://a.test/"), status: 200, fields: fields)
        #expect(targets.map(\.withoutFragment).prefix(2) == ["http://a.test/", "http://a.test/0"])
        #expect(targets.count <= 20)
    }

    @Test("entity tags of a request are listed once each")
    func tags() throws {
        let list = (0..<60_000).map { "\"\($0 % 50_000)\"" }.joined(separator: ", ")
        let request = CacheableRequest(
            method: "GET", url: try HTTPURL("http://a.test/"), fields: block([("If-None-Match", list)]), now: at())
        let sent = ValidationFields([], selected: nil, request: request)
        #expect(sent.ifNoneMatch?.filter { $0 == UInt8(ascii: ",") }.count == 49_999)
    }

    @Test("parts of a body are joined, whatever their order and number")
    func parts() {
        let apart = PartialContent(ranges: (0..<100_000).reversed().map { $0 * 3..<$0 * 3 + 2 }, completeLength: nil)
        #expect(apart.ranges.count == 100_000 && apart.ranges.first == 0..<2)
        let touching = PartialContent(
            ranges: (0..<100_000).reversed().map { $0 * 2..<$0 * 2 + 3 }, completeLength: 200_001)
        #expect(touching.ranges == [0..<200_001] && touching.isComplete)
        #expect(!PartialContent(ranges: [0..<5], completeLength: -1).isComplete)
    }

    @Test(
        "every other field that is read",
        arguments: [
            "a b=c, ", "a,", "a=b;", "a \"b\\\" ", "a=\"\\\"", "\"", "W/\"a", "h2=\":1\",", "h2=\":1\";a=", "\"a\",",
            "1-2,", " ",
            "a/=", "=;", "gzip,",
        ])
    func others(pattern: String) throws {
        let value = Self.filled(pattern, 60_000)
        let names = [
            "Alt-Svc", "If-None-Match", "Range", "If-Range", "Content-Range", "Clear-Site-Data", "Connection", "Date",
            "Expires",
            "Pragma", "Accept",
        ]
        let url = try HTTPURL("https://a.test/")
        let fields = block(names.map { ($0, value) })
        let bytes = Array(value.utf8)
        _ = Challenge.parse(value)
        _ = bytes.withUnsafeBytes { (SetCookie($0), StrictTransportSecurity($0), try? HeadParser.contentLength($0)) }
        _ = bytes.withUnsafeBytes { (HTTPDate.parse($0, now: 0), CookieDate.parse($0), try? ContentCoding.parse($0)) }
        _ = AltSvcField(fields, from: try #require(Origin(url)), now: 0)
        _ = CacheableRequest(method: "GET", url: url, fields: fields, now: at())
        _ = (
            ContentRange(fields), InvalidationRule.clearsOrigin(url, fields: fields),
            ContentCoding.canDecode(accepted: value)
        )
        let variant = StoredVariant(
            StoredHead(status: 200, version: nil, fields: fields, requestTime: at(), responseTime: at()), key: "",
            isSecure: true, settings: CacheSettings())
        #expect(variant.policy.lifetime == 0)
        #expect(Vary(block("Vary: Accept")).key(fields).hasPrefix("accept="))
    }

    @Test("of an answer with very many cookies the last ones are kept")
    func setCookies() throws {
        var jar = CookieJar()
        let values = (0..<20_000).map { "a\($0)=b" }
        #expect(try jar.receive(["first=1"] + values, from: "https://a.test/"))
        #expect(jar.cookies(now: noon).map(\.name) == values.suffix(CookieJar.siteLimit).map { String($0.dropLast(2)) })
        #expect(try jar.receive(["first=1"] + values.prefix(CookieJar.answerLimit - 1), from: "https://b.test/"))
        let same = Array(repeating: values[19_999], count: CookieJar.answerLimit)
        #expect(try !jar.receive(values.suffix(3).map { "\($0); Max-Age=0" } + same, from: "https://a.test/"))
    }

    // MARK: Files

    @Test("a file of many services keeps the first of each origin, and the origins that end last")
    func alternatives() {
        var value = Alternatives()
        let lines = (0..<20_000).map { "h1 a.test 443 h2 b\($0).test 443 \"20991231 23:59:59\" 0 0" }
        #expect(value.decode(Array(lines.joined(separator: "\n").utf8), now: noon) && value.count == 1)
        let text = String(decoding: value.encoded(now: noon), as: UTF8.self)
        #expect(text.split(separator: "\n").count == 2 + AltSvcField.limit && text.contains(" b0.test "))
        let origins = (0..<20_000).map { "h1 a\($0).test 443 h2 b.test 443 \"\(2030 + $0 % 20)1231 23:59:59\" 0 0" }
        #expect(
            value.decode(Array(origins.joined(separator: "\n").utf8), now: noon) && value.count == Alternatives.limit)
        let kept = String(decoding: value.encoded(now: noon), as: UTF8.self).split(separator: "\n").dropFirst(2)
        #expect(kept.allSatisfy { $0.contains("\"2049") || $0.contains("\"2099") })
    }

    @Test("a file of many hosts keeps those that end last, so many of a site")
    func hosts() {
        var hosts = HSTSHosts()
        let lines = (0..<40_000).map {
            "h\($0).\($0 % 2 == 0 ? "a" : "b\($0)").test \"\(2030 + $0 / 2 % 4)1231 23:59:59\""
        }
        #expect(hosts.decode(Array(lines.joined(separator: "\n").utf8), now: noon) && hosts.count == HSTSHosts.limit)
        let kept = String(decoding: hosts.encoded(now: noon), as: UTF8.self).split(separator: "\n").dropFirst(2)
        #expect(kept.filter { $0.contains(".a.test") }.count == HSTSHosts.siteLimit)
        #expect(kept.filter { $0.contains("\"2033") }.count == 5000 + HSTSHosts.siteLimit)
    }

    @Test(
        "many cookies at once are the same as one after the other",
        arguments: [(40, 3), (10, 300), (1600, 2), (50_000, 1), (100, 400)])
    func cookies(hosts: Int, each: Int) {
        let cookies = (0..<hosts * each).map {
            Cookie(
                name: "n\($0 / hosts)", value: "v", domain: "h\($0 % hosts).test", expires: $0 % 7 == 0 ? noon + 5 : nil
            )
        }
        var (together, single) = (CookieJar(), CookieJar())
        #expect(together.store(contentsOf: cookies, now: noon) && together.count > 0)
        if cookies.count <= 3200 {
            for cookie in cookies { _ = single.store(cookie, now: noon) }
            #expect(together.cookies(now: noon) == single.cookies(now: noon))
        }
        #expect(together.count == min(min(each, CookieJar.siteLimit) * hosts, CookieJar.limit))
        let isNews = together.store(contentsOf: Array(together.cookies(now: noon).suffix(10)), now: noon)
        #expect(!isNews)
        var ended = cookies[cookies.count - 1]
        ended.expires = noon - 1
        #expect(
            together.store(contentsOf: [ended], now: noon)
                && !together.cookies(now: noon).contains(cookies[cookies.count - 1]))
    }
}
