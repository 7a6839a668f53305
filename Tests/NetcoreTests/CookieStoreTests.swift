import Netcore
import NetcoreHTTP
import NetcoreSupport
import Testing

private let now: Int64 = 1_749_988_800

private func store(_ file: String? = nil, writeDelay: Int = 0) throws -> CookieStore {
    try CookieStore(file: file, writeDelay: writeDelay) { now }
}

private func cookie(_ name: String, _ value: String = "1") -> Cookie {
    Cookie(name: name, value: value, domain: "a.test")
}

extension CookieStore {
    fileprivate func sent(to url: String = "http://a.test/") throws -> String? {
        header(for: try HTTPURL(url)).map { String(decoding: $0, as: UTF8.self) }
    }
}

@Suite("The store of cookies")
struct CookieStoreTests {
    @Test("what an answer sets goes with the next request")
    func exchange() throws {
        let store = try store()
        #expect(try store.isEmpty && store.sent() == nil)
        let fields = FieldBlock()
        fields.append("set-cookie", "a=1; Path=/")
        fields.append("Set-Cookie", "b=2; Path=/x")
        store.receive(setCookie: fields, from: try HTTPURL("http://a.test/x/y"))
        #expect(try !store.isEmpty && store.sent() == "a=1" && store.sent(to: "http://a.test/x") == "b=2; a=1")
        #expect(try store.sent(to: "http://b.test/") == nil)
    }

    @Test("cookies are set, listed and cleared by the caller")
    func managing() throws {
        let store = try store()
        try store.set(cookie("a"))
        try store.set("b=2; Path=/x; Domain=a.test; Max-Age=5", from: HTTPURL("http://www.a.test/"))
        try store.set(Cookie(name: "a", value: "3", domain: "b.test"))
        #expect(store.all.map(\.name) == ["a", "b", "a"] && store.all[1].expires == now + 5)
        #expect(store.clear(domain: ".A.test", name: "a") == 1 && store.all.map(\.value) == ["2", "3"])
        #expect(store.clear(path: "/y") == 0 && store.clearSession() == 1 && store.all.map(\.value) == ["2"])
        #expect(store.clear() == 1 && store.isEmpty)
    }

    @Test(
        "what may not be set is an error of the argument",
        arguments: ["", "a", "a=b; Domain=test", "a=b; Secure", "a=b; Domain=b.test"])
    func refused(text: String) throws {
        let store = try store()
        #expect(throws: NetcoreError.self) { try store.set(text, from: HTTPURL("http://a.test/")) }
        #expect(throws: NetcoreError.self) { try store.set(cookie("a;b")) }
        #expect(store.isEmpty)
    }

    @Test("what one store exports another imports")
    func export() throws {
        let (one, other) = (try store(), try store())
        try one.set(cookie("b"))
        try one.set(cookie("a"))
        #expect(other.import(one.export() + Array("nonsense\n".utf8)) == 2)
        #expect(try other.all == one.all && other.sent() == "b=1; a=1")
    }

    @Test("any number of threads may use it")
    func threads() async throws {
        let folder = CookieFolder()
        let store = try store(folder.file)
        await withTaskGroup(of: Void.self) { tasks in
            for number in 0..<8 {
                tasks.addTask {
                    for turn in 0..<50 {
                        try? store.set(Cookie(name: "n\(turn % 10)", value: "\(turn)", domain: "host\(number).test"))
                        _ = try? store.sent(to: "http://host\(number).test/")
                        if turn % 20 == 7 { store.clear(domain: "host\(number).test") }
                    }
                }
            }
        }
        #expect(store.all.count == 16)
        store.close()
        #expect(try CookieStore(file: folder.file).all.count == 16)
    }
}
