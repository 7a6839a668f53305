import NetcoreHTTP
import Testing

@Suite struct ResponseDirectiveTests {
    private func directives(_ values: String...) -> ResponseDirectives {
        ResponseDirectives(block(values.map { ("Cache-Control", $0) }))
    }

    @Test(
        "max-age in all the ways in which origins write it",
        arguments: [
            ("max-age=60", 60), ("MAX-AGE=60", 60), ("MaX-aGe=60", 60), ("max-age=0060", 60), ("max-age=\"60\"", 60),
            ("max-age=\"6\\0\"", 60), ("a, max-age=60,b", 60), (",, max-age=60 ,", 60),
            ("max-age=60\t, x=\"y, z\"", 60),
            ("max-age=2147483648", 1 << 31), ("max-age=99999999999999999999999999", 1 << 31), ("max-age=0", 0),
            ("max-age=-1", 0), ("max-age=-60", 0), ("max-age=1.5", 0), ("max-age=60.0", 0), ("max-age=60s", 0),
            ("max-age=", 0), ("max-age", 0), ("max-age=\"\"", 0), ("max-age=abc", 0), ("max-age='60'", 0),
            ("max-age =60", 0), ("max-age= 60", 0), ("max-age=60 30", 0), ("max-age=60;public", 0), ("max-age:60", 0),
            ("max-age=+60", 0), ("max-age=0x60", 0), ("max-age=60, max-age=30", 30), ("max-age=30, max-age=60", 30),
            ("max-age=60, max-age=x", 0), ("max-age=60\"", 0), ("max-age=60, x=\"y", 0),
        ] as [(String, Int64)])
    func maxAge(value: String, seconds: Int64) { #expect(directives(value).maxAge == seconds) }

    @Test(
        "what only looks like max-age is none",
        arguments: [
            "x=\"max-age=60\"", "x=\"a, max-age=60, b\"", "x-max-age=60", "max-ages=60", "=60", "\"max-age=60\"",
            "x=\"\\\", max-age=60\"",
        ])
    func noMaxAge(value: String) { #expect(directives(value).maxAge == nil) }

    @Test("all field lines count")
    func lines() {
        let found = directives("max-age=60", "no-cache", "public")
        #expect(found.maxAge == 60 && found.isNoCache && found.isPublic)
        #expect(directives("max-age=60", "max-age=5").maxAge == 5)
    }

    @Test(
        "directives that restrict count even when they are malformed",
        arguments: [
            "no-store", "No-Store", "no-store=1", "no-store=\"x\"", "no-store;x", "no-store x", "x=\"y, no-store",
        ])
    func restricting(value: String) { #expect(directives(value).isNoStore) }

    @Test("directives that permit count only when they are well-formed")
    func permitting() {
        #expect(directives("public, immutable, must-understand").isPublic)
        let malformed = directives("public=1, immutable=x, must-understand; x")
        #expect(!malformed.isPublic && !malformed.isImmutable && !malformed.mustUnderstand)
        let damaged = directives("public, immutable, stale-while-revalidate=60, stale-if-error=60, s-maxage=60, x=\"")
        #expect(!damaged.isPublic && !damaged.isImmutable && damaged.sharedMaxAge == 0)
        #expect(damaged.staleWhileRevalidate == nil && damaged.staleIfError == nil)
    }

    @Test(
        "no-cache lists fields, or concerns the whole answer",
        arguments: [
            ("no-cache", true, []), ("no-cache=\"Set-Cookie\"", false, ["set-cookie"]),
            ("no-cache=\"A, b ,C\"", false, ["a", "b", "c"]), ("no-cache=Set-Cookie", false, ["set-cookie"]),
            ("no-cache=\"\"", true, []), ("no-cache=", true, []), ("no-cache=\"a b\"", true, []),
            ("no-cache = \"a\"", true, []), ("no-cache=\"a\", no-cache", true, ["a"]),
            ("no-cache=\"a\", no-cache=\"b\"", false, ["a", "b"]),
        ] as [(String, Bool, [String])])
    func noCache(value: String, isNoCache: Bool, fields: [String]) {
        let found = directives(value)
        #expect(found.isNoCache == isNoCache && found.noCacheFields == fields)
        let other = directives(value.replacing("no-cache", with: "private"))
        #expect(other.isPrivate == isNoCache && other.privateFields == fields)
    }

    @Test("the other directives of an answer")
    func others() {
        let found = directives(
            "must-revalidate, proxy-revalidate, no-transform, s-maxage=7, stale-while-revalidate=8, stale-if-error=9")
        #expect(found.mustRevalidate && found.proxyRevalidate && found.noTransform)
        #expect(found.sharedMaxAge == 7 && found.staleWhileRevalidate == 8 && found.staleIfError == 9)
        #expect(directives("stale-while-revalidate=x").staleWhileRevalidate == 0)
    }
}

@Suite struct RequestDirectiveTests {
    private func directives(_ lines: String...) -> RequestDirectives { RequestDirectives(block(lines)) }

    @Test("the directives of a request")
    func all() {
        let found = directives(
            "Cache-Control: no-store, NO-CACHE, only-if-cached, max-age=1, min-fresh=2, stale-if-error=3")
        #expect(found.isNoStore && found.isNoCache && found.isOnlyIfCached)
        #expect(found.maxAge == 1 && found.minFresh == 2 && found.staleIfError == 3 && found.maxStale == nil)
        #expect(directives("Accept: */*").isPlain && !found.isPlain)
    }

    @Test(
        "max-stale has a value or takes any staleness",
        arguments: [
            ("max-stale", Int64.max), ("max-stale=10", 10), ("max-stale, max-stale=10", 10), ("max-stale=x", 0),
            ("max-stale=-1", 0), ("max-stale =10", 0), ("max-stale=5, max-stale=10", 5),
        ])
    func maxStale(value: String, seconds: Int64) { #expect(directives("Cache-Control: \(value)").maxStale == seconds) }

    @Test("numbers that are none ask for the newest")
    func numbers() {
        #expect(directives("Cache-Control: max-age=x").maxAge == 0)
        #expect(directives("Cache-Control: min-fresh=x").minFresh == 1 << 31)
        #expect(directives("Cache-Control: min-fresh=1, min-fresh=5").minFresh == 5)
        #expect(directives("Cache-Control: max-stale, x=\"").isNoCache)
        #expect(directives("Cache-Control: max-stale, x=\"").maxStale == nil)
    }

    @Test("Pragma counts where Cache-Control is absent")
    func pragma() {
        #expect(directives("Pragma: no-cache").isNoCache)
        #expect(directives("Pragma: x, No-Cache").isNoCache)
        #expect(!directives("Pragma: no-cache", "Cache-Control: max-age=5").isNoCache)
        #expect(!directives("Pragma: foo").isNoCache)
    }
}
