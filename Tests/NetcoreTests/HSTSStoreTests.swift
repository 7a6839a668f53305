import Glibc
import Netcore
import NetcoreHTTP
import NetcoreSupport
import Testing

private let now: Int64 = 1_749_988_800

private func store(_ file: String = "", writeDelay: Int = 0) throws -> HSTSStore {
    try HSTSStore(file: file, writeDelay: writeDelay) { now }
}

extension HSTSStore {
    fileprivate func hear(_ values: String..., from url: String) throws {
        let fields = FieldBlock()
        for value in values { fields.append("strict-transport-security", value) }
        receive(fields, from: try HTTPURL(url))
    }

    fileprivate func upgrades(_ url: String) throws -> Bool { upgrades(try HTTPURL(url)) }
}

@Suite("The store of HSTS hosts", .serialized)
struct HSTSStoreTests {
    let folder = CookieFolder()

    @Test("what a host asks for holds for its http URLs, whatever the port")
    func exchange() throws {
        let store = try store()
        #expect(try !store.upgrades("http://a.test/"))
        try store.hear("max-age=60", from: "https://A.test.:8443/")
        #expect(
            try store.upgrades("http://a.TEST/") && store.upgrades("http://a.test.:81/x")
                && !store.upgrades("https://a.test/"))
        #expect(try !store.upgrades("http://b.a.test/"))
        try store.hear("max-age=0", from: "https://a.test/")
        #expect(try !store.upgrades("http://a.test/"))
    }

    @Test("http has no say, nor have addresses, and of two fields the first one counts")
    func untrusted() throws {
        let store = try store()
        try store.hear("max-age=60", from: "http://a.test/")
        for host in ["127.0.0.1", "[::1]", "0x7f.1"] {
            try store.hear("max-age=60; includeSubDomains", from: "https://\(host)/")
        }
        try store.hear("nonsense", "max-age=60", from: "https://b.test/")
        #expect(
            try !store.upgrades("http://a.test/") && !store.upgrades("http://127.0.0.1/")
                && !store.upgrades("http://[::1]/"))
        #expect(try !store.upgrades("http://b.test/"))
        try store.hear("max-age=60", "max-age=0", from: "https://b.test/")
        #expect(try store.upgrades("http://b.test/"))
    }

    @Test("hosts are found again by the next store, and no other user may read the file")
    func reopening() throws {
        let first = try store(folder.file)
        try first.hear("max-age=60; includeSubDomains", from: "https://a.test/")
        first.close()
        #expect(folder.names == ["cookies.txt"] && CookieFolder.mode(of: folder.file) == S_IFREG | 0o600)
        #expect(CookieFolder.text(of: folder.file).hasSuffix("\n.a.test \"20250615 12:01:00\"\n"))
        #expect(try store(folder.file).upgrades("http://b.a.test/"))
    }

    @Test("a file that holds something else is refused, and stays as it is")
    func unusable() throws {
        folder.write("Dear diary,\n")
        #expect {
            _ = try store(folder.file)
        } throws: { error in
            guard let error = error as? NetcoreError else { return false }
            return error.code == .storage && error.message.hasPrefix("hsts_file: ")
        }
        #expect(CookieFolder.text(of: folder.file) == "Dear diary,\n")
    }
}

@Suite("The store of alternative services", .serialized)
struct AlternativeStoreTests {
    let folder = CookieFolder()

    private func store() throws -> AlternativeStore {
        try AlternativeStore(file: folder.file, allowsHTTP2: true, writeDelay: 0) { now }
    }

    private func hear(_ store: AlternativeStore, _ value: String, status: Int = 200, from url: String) throws {
        let fields = FieldBlock()
        fields.append("Alt-Svc", value)
        store.receive(fields, status: status, from: try HTTPURL(url))
    }

    @Test("what an origin names is kept for it alone, and is there for the next store")
    func exchange() throws {
        let first = try store()
        let url = try HTTPURL("https://A.test/x")
        try hear(first, "h2=\"b.test:8443\"; ma=600", status: 421, from: "https://a.test/")
        try hear(first, "h2=\"b.test:8443\"; ma=600", from: "http://a.test/")
        #expect(first.service(for: url) == nil)
        try hear(first, "h2=\"b.test:8443\"; ma=600", from: "https://a.test/")
        #expect(first.service(for: url)?.authority == "b.test:8443")
        for other in ["http://a.test/", "https://a.test:444/", "https://b.a.test/"] {
            #expect(first.service(for: try HTTPURL(other)) == nil)
        }
        first.close()
        let second = try store()
        #expect(second.service(for: url)?.authority == "b.test:8443")
        second.noteOtherNetwork()
        #expect(second.service(for: url) == nil)
    }

    @Test("one that failed is left alone, and one that refused is forgotten")
    func failure() throws {
        let first = try store()
        let url = try HTTPURL("https://a.test/")
        try hear(first, "h2=\"b.test:1\"", from: "https://a.test/")
        let service = try #require(first.service(for: url))
        first.noteFailure(of: service, for: url, isRefused: false)
        #expect(first.service(for: url) == nil)
        first.close()
        let second = try store()
        #expect(second.service(for: url) == service)
        second.noteFailure(of: service, for: url, isRefused: true)
        second.close()
        #expect(try store().service(for: url) == nil)
    }
}
