import Glibc
import Netcore
import NetcoreHTTP
import Testing

/// What the application says of keys, folders, times to live and owners.
@Suite struct CacheApplicationTests {
    private static let other = "https://one.test/b"

    @Test("a key by a function stands for the usual one; a request's own wins")
    func keys() throws {
        let bench = try CacheBench { $0.keyForRequest = { String($0.url.prefix { $0 != "?" }) } }
        try bench.perform(bench.request("GET", CacheBench.url + "?session=1")) {
            $0.answer(200, ["Cache-Control: max-age=60"], "old")
        }
        let again = try bench.perform(bench.request("GET", CacheBench.url + "?session=2")) { $0.fail(.connect) }
        #expect(again.cacheResult == .hit && again.text == "old")
        let own = try bench.get(with: { $0.cacheOptions.key = "own" })
        #expect(own.cacheResult == .notCached)
    }

    @Test("a key by a function sees method, fields and body")
    func keyByBody() throws {
        let bench = try CacheBench {
            $0.keyForRequest = { request in
                let body = request.withBody { String(decoding: $0, as: UTF8.self) }
                return "\(request.method) \(request.headers["x-user"] ?? "") \(body)"
            }
        }
        func post(_ body: String, _ user: String) throws -> CacheResult? {
            var request = try bench.request("POST", CacheBench.url, [("X-User", user)])
            try request.setBody(Array(body.utf8))
            request.cacheOptions.timeToLive = .seconds(60)
            return try bench.perform(request) { $0.answer(200, [], "answer") }.cacheResult
        }
        #expect(try post("a", "1") == .notCached && post("a", "1") == .hit)
        #expect(try post("b", "1") == .notCached && post("a", "2") == .notCached)
    }

    @Test("a request that succeeds invalidates the answers with its tags", arguments: [201, 500])
    func invalidation(status: Int) throws {
        let bench = try CacheBench()
        try bench.get(with: { $0.tags = ["posts"] }) { $0.answer(200, ["Cache-Control: max-age=60"], "old") }
        var change = try bench.request("POST", Self.other)
        change.invalidatedTags = ["posts"]
        try bench.perform(change) { $0.answer(status, [], "") }
        let again = try bench.get { $0.answer(200, [], "new") }
        #expect(again.text == (status == 201 ? "new" : "old"))
    }

    @Test("a folder by a function keeps answers apart, on disk as well")
    func folders() throws {
        let base = ModelFolder()
        let path = base.path
        let bench = try CacheBench {
            $0.folderForRequest = { request in request.headers["x-user"].map { "\(path)/\($0)" } }
        }
        for user in ["one", "two"] {
            let event = try bench.get([("X-User", user)]) { $0.answer(200, ["Cache-Control: max-age=60"], user) }
            #expect(event.cacheResult == .notCached)
            #expect(access("\(path)/\(user)/cache.db", F_OK) == 0)
        }
        bench.cache.flush()
        bench.cache.setLimits(memoryCount: 0)
        bench.cache.setLimits(memoryCount: 100)
        for user in ["one", "two"] {
            let event = try bench.get([("X-User", user)])
            #expect(event.cacheResult == .hit && event.text == user)
        }
    }

    @Test("a time to live by URL pattern; the first that matches counts")
    func rules() throws {
        let bench = try CacheBench {
            $0.followsHTTP = false
            $0.rules = [
                Cache.Rule("https://one.test/*.png", timeToLive: .seconds(100)),
                Cache.Rule("https://one.test/?.*", timeToLive: .seconds(5)),
            ]
        }
        func results(_ url: String) throws -> [CacheResult?] {
            try [0, 10_000].map { (milliseconds: Int64) in
                bench.clock.advance(milliseconds)
                return try bench.perform(bench.request("GET", url)) { $0.answer(200, ["Cache-Control: max-age=1000"]) }
                    .cacheResult
            }
        }
        #expect(try results("https://one.test/x/a.png") == [.notCached, .hit])
        #expect(try results("https://one.test/a.css") == [.notCached, .expired])
        // No rule, and HTTP's are off.
        #expect(try results("https://one.test/other") == [.requested, .requested])
    }

    @Test("answers to other credentials are not shared in a private cache")
    func credentials() throws {
        let bench = try CacheBench()
        for user in ["one", "two"] {
            let stored = try bench.get([("Authorization", "Basic \(user)")]) {
                $0.answer(200, ["Cache-Control: max-age=60"], user)
            }
            #expect(stored.text == user)
        }
        for user in ["one", "two"] {
            let event = try bench.get([("Authorization", "Basic \(user)")])
            #expect(event.cacheResult == .hit && event.text == user)
        }
        #expect(try bench.get().cacheResult == .scopeMismatch)
        let inURL = try bench.perform(bench.request("GET", "https://one:x@one.test/a")) { $0.answer(200, [], "in URL") }
        #expect(inURL.text == "in URL")
    }

    @Test("a shared cache keeps one user's answer by a time to live only for a scope", arguments: ["", "user"])
    func sharedTimeToLive(scope: String) throws {
        let bench = try CacheBench { $0.isShared = true }
        func get(_ user: String) throws -> CacheResult? {
            try bench.get(with: {
                try? $0.addHeader("Authorization", "Basic \(user)")
                $0.cacheOptions.timeToLive = .seconds(60)
                $0.cacheOptions.scope = scope
            }).cacheResult
        }
        _ = try get("one")
        #expect(try get("two") == (scope.isEmpty ? .notCached : .hit))
    }

    @Test("what is stored can be read without sending")
    func reading() throws {
        let bench = try CacheBench()
        func stored(_ fields: [(String, String)] = []) throws -> String {
            switch try bench.client.cachedResponse(bench.request("GET", CacheBench.url, fields)) {
            case .found(let response): "\(response.text) \(response.cacheResult) \(response.headers["age"] ?? "")"
            case .notFound(let reason): "\(reason)"
            }
        }
        #expect(try stored() == "notCached")
        try bench.store(["Cache-Control: max-age=60", "Vary: X-Kind"])
        bench.clock.advance(10_000)
        #expect(try stored() == "old hit 10")
        #expect(try stored([("X-Kind", "a")]) == "variantMismatch")
        #expect(try stored([("Authorization", "Basic a")]) == "scopeMismatch")
        bench.clock.advance(90_000)
        #expect(try stored() == "old staleHit 100")
        let post = try bench.client.cachedResponse(bench.request("POST", CacheBench.url))
        if case .notFound(.passed) = post {} else { Issue.record("a POST was found") }
        #expect(bench.transport.count == 1)
    }

    @Test("another variant in memory does not hide one on disk from those who read")
    func readingVariants() throws {
        let folder = ModelFolder()
        let bench = try CacheBench { $0.folder = folder.path }
        for kind in ["a", "b"] {
            try bench.get([("X-Kind", kind)]) { $0.answer(200, ["Cache-Control: max-age=60", "Vary: X-Kind"], kind) }
            if kind == "a" {
                bench.cache.setLimits(memoryCount: 0)
                bench.cache.setLimits(memoryCount: 100)
            }
        }
        guard
            case .found(let response) = try bench.client.cachedResponse(
                bench.request("GET", CacheBench.url, [("X-Kind", "a")]))
        else {
            Issue.record("not found")
            return
        }
        #expect(response.text == "a")
    }
}
