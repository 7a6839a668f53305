import Glibc
import Netcore
import NetcoreSupport
import TestSupport
import Testing

private func cachingClient(_ cache: Cache) throws -> Client { try client { $0.cache = cache } }

/// An answer of the scripted origin with these fields.
private func url(_ query: String) -> String { "\(Peers.origin)/headers?\(query)" }

/// An answer that is fresh for a day, of its own URL. On a slow machine a test may have to wait a minute for its thread.
private func fresh(_ name: String = #function) -> String {
    url("Cache-Control=max-age%3D86400&X-Name=\(name.filter(\.isLetter))\(UInt64.random(in: 0 ... .max))")
}

@Suite struct CacheTests {
    @Test("a fresh answer is served again without a request, with its Age")
    func hit() async throws {
        let client = try cachingClient(Cache())
        let request = try Request("GET", fresh())
        let first = try await client.perform(request)
        let second = try await client.perform(request)
        #expect(first.cacheResult == .notCached && first.attempts == 1)
        #expect(second.cacheResult == .hit && second.attempts == 0)
        #expect(second.body == first.body && second.headers["age"] != nil)
        #expect(second.headers["cache-status"]?.hasPrefix("netcore; hit; ttl=") == true)
        #expect(second.urlString == first.urlString)
    }

    @Test("what says no-store is not stored")
    func noStore() async throws {
        let client = try cachingClient(Cache())
        let request = try Request("GET", url("Cache-Control=no-store"))
        for _ in 0..<2 { #expect(try await client.perform(request).cacheResult == .notCached) }
    }

    @Test("a stored answer is validated, and served when the origin confirms it with a 304")
    func revalidated() async throws {
        let client = try cachingClient(Cache())
        var request = try Request("GET", "\(Peers.nginx)/small.txt")
        let first = try await client.perform(request)
        try request.setHeader("Cache-Control", "no-cache")
        let second = try await client.perform(request)
        #expect(second.status == 200 && second.body == first.body)
        #expect(second.cacheResult == .revalidated)
        #expect(second.headers["cache-status"]?.contains("fwd-status=304") == true)
    }

    @Test("only-if-cached without a stored answer is a 504 of the cache's own")
    func onlyIfCached() async throws {
        var request = try Request("GET", fresh())
        try request.setHeader("Cache-Control", "only-if-cached")
        let response = try await cachingClient(Cache()).perform(request)
        #expect(response.status == 504 && response.cacheResult == .unsatisfiable && response.attempts == 0)
    }

    @Test("an unsafe method removes what is stored for its URL")
    func invalidation() async throws {
        let client = try cachingClient(Cache())
        let target = fresh()
        _ = try await client.perform(Request("GET", target))
        _ = try await client.perform(Request("POST", target))
        #expect(try await client.perform(Request("GET", target)).cacheResult == .notCached)
    }

    @Test("a time to live stores what HTTP does not, also for POST, by its body")
    func timeToLive() async throws {
        let client = try cachingClient(Cache())
        var request = try Request("POST", url("Cache-Control=no-store"))
        request.cacheOptions.timeToLive = .seconds(86400)
        try request.setBody([1])
        #expect(try await client.perform(request).cacheResult == .notCached)
        #expect(try await client.perform(request).cacheResult == .hit)
        try request.setBody([2])
        #expect(try await client.perform(request).cacheResult == .notCached)
    }

    @Test("what belongs to one scope is not served to another, and the reason is told")
    func scope() async throws {
        let client = try cachingClient(Cache())
        var request = try Request("GET", fresh())
        request.cacheOptions.scope = "a"
        _ = try await client.perform(request)
        request.cacheOptions.scope = "b"
        #expect(try await client.perform(request).cacheResult == .scopeMismatch)
        request.cacheOptions.version = 2
        #expect(try await client.perform(request).cacheResult == .versionMismatch)
    }

    @Test("identical misses send one request")
    func collapsed() async throws {
        let client = try cachingClient(Cache())
        let request = try Request("GET", fresh())
        let sent = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { try await client.perform(request).attempts } }
            return try await group.reduce(0, +)
        }
        #expect(sent == 1)
    }

    @Test("a stored redirect is followed")
    func redirect() async throws {
        let client = try cachingClient(Cache())
        var request = try Request("GET", "\(Peers.origin)/redirect-chain/1")
        request.cacheOptions.timeToLive = .seconds(86400)
        #expect(try await client.perform(request).status == 200)
        let second = try await client.perform(request)
        #expect(second.status == 200 && second.redirects == 1 && second.attempts == 0)
        #expect(second.cacheResult == .hit)
    }

    @Test("a redirect from the cache counts as no attempt")
    func redirectToTheNetwork() async throws {
        let client = try cachingClient(Cache())
        let fields = "Cache-Control=max-age%3D60&Location=/headers%3FCache-Control%3Dno-store"
        let request = try Request("GET", "\(Peers.origin)/status/302?\(fields)")
        for _ in 0..<2 {
            let response = try await client.perform(request)
            #expect(response.status == 200 && response.redirects == 1 && response.attempts == 1)
        }
    }

    @Test("stored answers survive on disk")
    func disk() async throws {
        var template = Array("/tmp/netcore-cache-XXXXXX".utf8CString)
        let made = try #require(template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } })
        let folder = String(cString: made)
        var options = Cache.Options()
        options.folder = "\(folder)/cache"
        options.writesSynchronously = true
        let request = try Request("GET", fresh())
        let first = try await cachingClient(Cache(options)).perform(request)
        let second = try await cachingClient(Cache(options)).perform(request)
        #expect(second.cacheResult == .hit && second.body == first.body && second.attempts == 0)
    }

    @Test("a cache that is cleared serves nothing")
    func clear() async throws {
        let cache = Cache()
        let client = try cachingClient(cache)
        let request = try Request("GET", fresh())
        _ = try await client.perform(request)
        cache.clear()
        #expect(try await client.perform(request).cacheResult == .notCached)
        #expect(cache.statistics.misses == 2 && cache.statistics.hits == 0)
    }
}
