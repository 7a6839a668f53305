import NetcoreHTTP
import Testing

private let now: Int64 = 1_749_988_800  // 2025-06-15 12:00:00
private let origin = Origin(host: "a.test", port: 443)

/// "h2 host:port seconds", "+" behind it where it persists; nil for a field that says nothing.
private func read(_ values: [String]) -> [String]? {
    let fields = FieldBlock()
    for value in values { fields.append("Alt-Svc", value) }
    return AltSvcField(fields, from: origin, now: now)?.services.map { service in
        let protocolName = service.speaksHTTP2 ? "h2" : "h1"
        return "\(protocolName) \(service.authority) \(service.expires - now)\(service.persists ? "+" : "")"
    }
}

private func service(_ host: String, _ port: UInt16 = 443, h2: Bool = true, ends: Int64 = 60, persists: Bool = false)
    -> AlternativeService
{
    AlternativeService(speaksHTTP2: h2, host: host, port: port, expires: now + ends, persists: persists)
}

@Suite("Alternative services")
struct AltSvcTests {
    @Test(
        "fields of the grammar are read",
        arguments: [
            (["h2=\":8443\"; ma=60"], ["h2 a.test:8443 60"]),
            (["h2=\"B.test:443\";ma=60;persist=1"], ["h2 b.test:443 60+"]),
            (["h2=\"b.test:1\"; ma=60, http%2F1.1=\":2\"; ma=\"50\""], ["h2 b.test:1 60", "h1 a.test:2 50"]),
            (["h2=\"b.test:1\"; ma=60", "h2=\":2\"; ma=60"], ["h2 b.test:1 60", "h2 a.test:2 60"]),
            (["h3=\":443\", h2=\":1\"; ma=60; x=y ; z=\"a,b\""], ["h2 a.test:1 60"]),
            (["h2=\"[::1]:1\"; ma=60"], ["h2 [::1]:1 60"]),
            (["h3=\":443\""], []), (["H2=\":1\""], []),
            (["h2=\":0\"", "h2=\":99999\"", "h2=\"a b:1\"", "h2=\"x\""], []),
            (["clear"], []), (["h2=\":1\"", "clear"], []), ([" , h2=\":1\" ; ma=60 ,"], ["h2 a.test:1 60"]),
            (["h2=\":1\"; ma=60; persist=2"], ["h2 a.test:1 60"]),
        ] as [([String], [String])])
    func field(values: [String], expected: [String]) { #expect(read(values) == expected) }

    @Test(
        "a field that breaks the grammar says nothing",
        arguments: [
            "", ",", "h2", "Clear", "h2=:1", "h2=\":1", "h2=\":1\" x", "h2=\":1\"; ma", "h2=\":1\"; ma=x",
            "h2=\":1\" ma=1", "=\":1\"",
        ])
    func invalid(value: String) { #expect(read([value]) == nil) }

    @Test("an origin names a few, and no more")
    func many() {
        #expect(read((1...20).map { "h2=\":\($0)\"; ma=60" }) == (1...AltSvcField.limit).map { "h2 a.test:\($0) 60" })
    }

    @Test("a day is the time of one that says none, and ends move in steps")
    func lifetime() {
        #expect(read(["h2=\":1\""]).map { $0[0].hasPrefix("h2 a.test:1 8") } ?? false)
        let fields = FieldBlock()
        fields.append("Alt-Svc", "h2=\":1\"; ma=86400")
        let ends = Set((0...864).compactMap { AltSvcField(fields, from: origin, now: now + $0)?.services[0].expires })
        #expect(ends.count == 2 && ends.allSatisfy { $0 > now + 86_400 - 864 && $0 <= now + 86_400 + 864 })
    }

    @Test("the first that can be used is used, and none where that is the origin")
    func choice() {
        var value = Alternatives()
        _ = value.set(
            [service("h1.test", h2: false, ends: 0), service("b.test"), service("c.test", h2: false)], of: origin)
        #expect(value.service(for: origin, allowsHTTP2: true, now: now)?.host == "b.test")
        #expect(value.service(for: origin, allowsHTTP2: false, now: now)?.host == "c.test")
        #expect(value.service(for: origin, allowsHTTP2: true, now: now + 60) == nil)
        #expect(value.service(for: Origin(host: "a.test", port: 444), allowsHTTP2: true, now: now) == nil)
        _ = value.set([service("a.test"), service("b.test")], of: origin)
        #expect(value.service(for: origin, allowsHTTP2: true, now: now) == nil)
        let isNews = value.set([service("a.test"), service("b.test")], of: origin)
        #expect(!isNews && value.set([], of: origin) && value.count == 0)
    }

    @Test("one that failed is left alone for five minutes, even when it is named again")
    func failure() {
        var value = Alternatives()
        _ = value.set([service("b.test", ends: 1000)], of: origin)
        value.leaveAlone(service("b.test"), of: origin, now: now)
        #expect(value.service(for: origin, allowsHTTP2: true, now: now + 299) == nil)
        #expect(value.service(for: origin, allowsHTTP2: true, now: now + 300) != nil)
        #expect(value.remove(service("b.test", ends: 1000), of: origin) && value.count == 0)
    }

    @Test("in another network those that persist are left")
    func network() {
        var value = Alternatives()
        _ = value.set([service("b.test"), service("c.test", persists: true)], of: origin)
        value.leaveAlone(service("c.test"), of: origin, now: now)
        let changes = [value.changeNetwork(), value.changeNetwork()]
        #expect(changes == [true, false])
        #expect(value.service(for: origin, allowsHTTP2: true, now: now)?.host == "c.test")
    }

    @Test("the origin that ends first makes room")
    func limit() {
        var value = Alternatives()
        for number in 0...Alternatives.limit {
            _ = value.set([service("b.test", ends: Int64(number + 1))], of: Origin(host: "\(number).test", port: 443))
        }
        #expect(value.count == Alternatives.limit)
        #expect(value.service(for: Origin(host: "0.test", port: 443), allowsHTTP2: true, now: now) == nil)
    }

    // MARK: Text

    @Test("what is written is read again, in the format of curl")
    func text() {
        var value = Alternatives()
        _ = value.set([service("::1", 8443, persists: true), service("b.test", h2: false)], of: origin)
        let text = value.encoded(now: now)
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(
            lines == [
                "h1 a.test 443 h2 [::1] 8443 \"20250615 12:01:00\" 1 0",
                "h1 a.test 443 h1 b.test 443 \"20250615 12:01:00\" 0 0",
            ])
        var other = Alternatives()
        #expect(other.decode(text, now: now) && other.encoded(now: now) == text)
        #expect(other.decode(text, now: now) && other.encoded(now: now) == text)
    }

    @Test(
        "lines that are none are passed over, and a text of them alone is refused",
        arguments: [
            "h2 a.test 443 h2 b.test 443 \"20991231 10:00:00\" 0", "h2 a.test 443 h2 b.test 443 20991231 10:00:00 0 0",
            "h4 a.test 443 h2 b.test 443 \"20991231 10:00:00\" 0 0",
            "h2 a.test 443 h4 b.test 443 \"20991231 10:00:00\" 0 0",
            "h2 a.test 0 h2 b.test 443 \"20991231 10:00:00\" 0 0",
            "h2 a.test 443 h2 b.test 65536 \"20991231 10:00:00\" 0 0",
            "h2 a.test 443 h2 b.test 443 \"20991231 10:00:00\" 2 0",
            "h2 a.test 443 h2 b.test 443 \"20991231 10:00:00\" 0 0 0",
            "h2 ä.test 443 h2 b.test 443 \"20991231 10:00:00\" 0 0", "nonsense",
        ])
    func badLines(line: String) {
        var value = Alternatives()
        let isAnyGood = value.decode(Array(line.utf8), now: now)
        #expect(!isAnyGood && value.count == 0)
        let good = "h2 a.test 443 h2 b.test 443 \"20991231 10:00:00\" 0 0"
        #expect(value.decode(Array("\(good)\n\(line)\n".utf8), now: now) && value.count == 1)
    }

    @Test("lines for HTTP/3, and those that have ended, are good and left out")
    func otherLines() {
        var value = Alternatives()
        for line in [
            "h2 a.test 443 h3 b.test 443 \"20991231 10:00:00\" 0 0",
            "h2 a.test 443 h2 b.test 443 \"20191231 10:00:00\" 0 0",
        ] {
            #expect(value.decode(Array(line.utf8), now: now) && value.count == 0)
        }
    }
}
