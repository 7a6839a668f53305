import NetcoreHTTP
import Testing

@Suite struct StoreRuleTests {
    private func decide(
        _ request: CacheableRequest, _ status: Int, _ lines: [String], _ settings: CacheSettings = CacheSettings()
    ) -> StoreRule.Decision {
        let fields = block(lines)
        return StoreRule.decide(
            request: request, status: status, fields: fields, directives: ResponseDirectives(fields), settings: settings
        )
    }

    private func control(_ value: String) -> [String] { value.isEmpty ? [] : ["Cache-Control: \(value)"] }

    @Test(
        "a private cache stores by status and directives",
        arguments: [
            (200, "", nil), (200, "no-cache", nil), (200, "private", nil), (200, "no-store", .responseNoStore),
            (200, "no-store, max-age=60", .responseNoStore), (200, "no-store, public", .responseNoStore),
            (200, "no-store, must-understand", nil), (599, "no-store, must-understand", .notUnderstood),
            (599, "max-age=60, must-understand", .notUnderstood), (599, "max-age=60", nil), (599, "", .notCacheable),
            (201, "", .notCacheable), (201, "max-age=60", nil), (201, "public", nil), (201, "private", nil),
            (302, "", .notCacheable), (302, "max-age=60", nil), (302, "s-maxage=60", .notCacheable),
            (500, "", .notCacheable),
            (203, "", nil), (204, "", nil), (300, "", nil), (301, "", nil), (308, "", nil), (404, "", nil),
            (405, "", nil),
            (410, "", nil), (414, "", nil), (501, "", nil), (100, "max-age=60", .interim),
            (103, "max-age=60", .interim),
            (304, "max-age=60", .status), (412, "max-age=60", .status), (416, "max-age=60", .status),
            (206, "max-age=60", .partial),
        ] as [(Int, String, StoreRule.Refusal?)])
    func status(status: Int, directives: String, refusal: StoreRule.Refusal?) throws {
        #expect(decide(try request(), status, control(directives)) == (refusal.map { .refuse($0) } ?? .store))
    }

    @Test(
        "a shared cache keeps what belongs to one user out",
        arguments: [
            ("", false, nil), ("private", false, .isPrivate), ("private, max-age=60", false, .isPrivate),
            ("private=\"set-cookie\"", false, nil), ("max-age=60", true, .authorization), ("", true, .authorization),
            ("public", true, nil), ("s-maxage=60", true, nil), ("max-age=60, must-revalidate", true, nil),
            ("max-age=60, proxy-revalidate", true, .authorization), ("private, public", true, .isPrivate),
        ] as [(String, Bool, StoreRule.Refusal?)])
    func shared(directives: String, isAuthorized: Bool, refusal: StoreRule.Refusal?) throws {
        let request = isAuthorized ? try request("Authorization: Basic eA==") : try request()
        #expect(decide(request, 200, control(directives), sharedSettings) == (refusal.map { .refuse($0) } ?? .store))
    }

    @Test("a private cache stores what was answered to Authorization")
    func authorization() throws {
        #expect(decide(try request("Authorization: Basic eA=="), 200, []) == .store)
    }

    @Test("a 304 that must not be stored updates nothing")
    func updates() throws {
        func allows(_ asked: CacheableRequest, _ value: String, _ settings: CacheSettings = CacheSettings()) -> Bool {
            let directives = ResponseDirectives(block("Cache-Control: \(value)"))
            return StoreRule.allowsUpdate(by: asked, directives, settings: settings)
        }
        let plain = try request()
        #expect(allows(plain, "max-age=60"))
        #expect(allows(try request(method: "HEAD"), "private"))
        #expect(!allows(plain, "no-store"))
        #expect(!allows(try request("Cache-Control: no-store"), "max-age=60"))
        #expect(!allows(plain, "private", sharedSettings))
        #expect(!allows(try request("Authorization: x"), "max-age=60", sharedSettings))
    }

    @Test("no-store of the request keeps its answer out")
    func requestNoStore() throws {
        let asked = try request("Cache-Control: no-store")
        #expect(decide(asked, 200, control("max-age=60")) == .refuse(.requestNoStore))
    }

    @Test("Expires makes any final status storable, even in the past")
    func expires() throws {
        #expect(decide(try request(), 302, ["Expires: \(date(60))"]) == .store)
        #expect(decide(try request(), 302, ["Expires: 0"]) == .store)
    }

    @Test(
        "Vary with a star in any place is never stored",
        arguments: [["Vary: *"], ["Vary: Accept, *"], ["Vary: Accept", "Vary: *, X"]])
    func varyAny(lines: [String]) throws {
        #expect(decide(try request(), 200, lines + control("max-age=60")) == .refuse(.varyAny))
    }

    @Test(
        "an answer that hides a field on which caching depends is not stored",
        arguments: [
            ["Connection: Cache-Control", "Cache-Control: max-age=60"], ["Connection: close, VARY", "Vary: X"],
            ["Cache-Control: max-age=60, no-cache=\"age\"", "Age: 50"],
        ])
    func hidden(lines: [String]) throws {
        #expect(decide(try request(), 200, lines) == .refuse(.hiddenRules))
    }

    @Test("a part is stored, with a validator or without")
    func partial() throws {
        let range = ContentRange(bytes: 0..<5, completeLength: 10)
        let lines = ["Content-Range: bytes 0-4/10", "Cache-Control: max-age=60"]
        #expect(decide(try request(), 206, lines + ["ETag: \"a\""]) == .storePartial(range))
        #expect(decide(try request(), 206, lines + ["ETag: W/\"a\""]) == .storePartial(range))
        #expect(decide(try request(), 206, lines) == .storePartial(range))
        let multipart = ["ETag: \"a\"", "Content-Type: multipart/byteranges; boundary=x"]
        #expect(decide(try request(), 206, multipart) == .refuse(.partial))
    }

    @Test(
        "other methods are not stored",
        arguments: ["HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "FOO", "get"])
    func methods(method: String) throws {
        #expect(decide(try request(method: method), 200, control("max-age=60")) == .refuse(.method))
    }

    @Test(
        "the answer to POST is stored when it says that it is the resource, and for how long",
        arguments: [
            (["Cache-Control: max-age=60", "Content-Location: /x"], true),
            (["Cache-Control: max-age=60", "Content-Location: https://a.example/x"], true),
            (["Expires: \(date(60))", "Content-Location: x"], true),
            (["Content-Location: /x"], false), (["Cache-Control: public", "Content-Location: /x"], false),
            (["Cache-Control: max-age=60"], false), (["Cache-Control: max-age=60", "Content-Location: /y"], false),
        ])
    func post(lines: [String], isStored: Bool) throws {
        #expect(decide(try request(method: "POST"), 200, lines) == (isStored ? .store : .refuse(.method)))
    }
}

@Suite struct FieldStorageTests {
    private func stored(_ lines: String..., isShared: Bool = false) -> FieldBlock {
        let fields = block(lines)
        return FieldStorage(fields, ResponseDirectives(fields), isShared: isShared).filtered(fields, receivedAt: noon)
    }

    @Test("fields of one connection, and all that Connection lists, are not stored")
    func connection() {
        let fields = stored(
            "Connection: X-One, close", "connection: x-TWO", "X-One: 1", "X-Two: 2", "X-Three: 3", "Keep-Alive: 5",
            "Proxy-Connection: x", "TE: trailers", "Trailer: X", "Transfer-Encoding: chunked", "Upgrade: h2c",
            "Proxy-Authenticate: Basic", "Proxy-Authorization: x", "Proxy-Authentication-Info: x", "Proxy-Status: a",
            "Set-Cookie: a=b", "Cache-Status: cdn; hit", "Date: \(date())")
        #expect(names(fields) == ["x-three", "proxy-status", "set-cookie", "cache-status", "date"])
    }

    @Test("fields that no-cache lists are not stored, those that private lists not in a shared cache")
    func qualified() {
        let lines = [
            "Cache-Control: no-cache=\"a\", private=\"b, c\"", "A: 1", "B: 2", "C: 3", "D: 4", "Date: \(date())",
        ]
        func stored(_ isShared: Bool) -> [String] {
            let fields = block(lines)
            let storage = FieldStorage(fields, ResponseDirectives(fields), isShared: isShared)
            return names(storage.filtered(fields, receivedAt: noon))
        }
        #expect(stored(false) == ["cache-control", "b", "c", "d", "date"])
        #expect(stored(true) == ["cache-control", "d", "date"])
    }

    @Test("an answer without Date gets the time of its arrival")
    func date() {
        #expect(text(stored("A: 1"), "Date") == "Sun, 15 Jun 2025 12:00:00 GMT")
        #expect(text(stored("Date: x"), "Date") == "x")
    }
}
