import Glibc
@testable import Netcore
import NetcoreHTTP
import TestSupport
import Testing

/// Answers that are recorded in a file, and replayed from it.
@Suite struct CassetteTests {
    private let path = "/tmp/netcore-cassette-\(UInt64.random(in: 0 ... .max)).har"

    private func client(_ cassette: Cassette) throws -> Client {
        var options = Client.Options()
        options.transport = cassette.transport
        return try Client(options)
    }

    @Test("what was recorded is replayed, and then the cassette is at its end")
    func replay() async throws {
        defer { unlink(path) }
        let request = try Request("GET", "\(Peers.origin)/bytes/10")
        let live = Cassette.Options()
        let recorder = try Cassette(path, options: live)
        let body = try await client(recorder).perform(request).body
        try recorder.save()
        #expect(recorder.counts.recorded == 1)
        var options = Cassette.Options()
        options.mode = .none
        let cassette = try Cassette(path, options: options)
        #expect(throws: NetcoreError.self) { try cassette.check() }
        let client = try client(cassette)
        #expect(try await client.perform(request).body == body)
        try cassette.check()
        let error = try await #require(throws: NetcoreError.self) { try await client.perform(request) }
        #expect(error.code == .noStub && error.message.contains("has been replayed"))
    }

    @Test("a redirect whose body was not wanted is recorded whole")
    func redirect() async throws {
        defer { unlink(path) }
        let request = try Request("GET", "\(Peers.origin)/redirect-chain/2")
        let cassette = try Cassette(path)
        let response = try await client(cassette).perform(request)
        #expect(response.redirects == 2 && response.history.count == 2)
        try cassette.save()
        let again = try await client(Cassette(path)).perform(request)
        #expect(again.redirects == 2 && again.body == response.body)
    }

    @Test("a file that is no archive is named with the place")
    func damaged() throws {
        defer { unlink(path) }
        let file = try #require(fopen(path, "w"))
        fputs("{\"log\": {\"entries\": [1]}}", file)
        fclose(file)
        let error = try #require(throws: NetcoreError.self) { try Cassette(path) }
        #expect(error.code == .storage && error.message.hasSuffix("\(path): damaged: log/entries/0 must be an object"))
    }
}
