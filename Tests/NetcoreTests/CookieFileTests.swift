import Glibc
import Netcore
import NetcoreHTTP
import NetcoreSupport
import Testing

private func open(_ file: String, writeDelay: Int = 0) throws -> CookieStore {
    try CookieStore(file: file, writeDelay: writeDelay)
}

private func cookie(_ name: String, _ value: String = "1") -> Cookie {
    Cookie(name: name, value: value, domain: "a.test")
}

@Suite("The file of cookies", .serialized)
struct CookieFileTests {
    let folder = CookieFolder()

    @Test("a jar is found again by the next store, in its order, and no other user may read it")
    func reopening() throws {
        let first = try open(folder.file)
        #expect(first.isEmpty && folder.names.isEmpty)
        for name in ["z", "a", "m"] { try first.set(cookie(name)) }
        try first.set(cookie("z", "2"))
        first.close()
        #expect(folder.names == ["cookies.txt"] && CookieFolder.mode(of: folder.file) == S_IFREG | 0o600)
        let second = try open(folder.file)
        #expect(second.all == [cookie("z", "2"), cookie("a"), cookie("m")])
    }

    @Test("the end of a store writes what is left, at once")
    func end() throws {
        let hour = 3_600_000
        let closed = try open(folder.file, writeDelay: hour)
        for number in 0..<100 { try closed.set(cookie("a", "\(number)")) }
        #expect(folder.names.isEmpty)
        closed.close()
        #expect(try open(folder.file).all == [cookie("a", "99")])
        try closed.set(cookie("late"))
        closed.close()
        try open(folder.file, writeDelay: hour).set(cookie("b"))
        #expect(try open(folder.file).all == [cookie("a", "99"), cookie("b")])
    }

    @Test("a file is replaced, never written over, and its mode becomes 0600")
    func replacing() throws {
        folder.write("a.test\tFALSE\t/\tFALSE\t0\ta\t1\n")
        link(folder.file, folder.path + "/old")
        let store = try open(folder.file)
        #expect(CookieFolder.mode(of: folder.file) == S_IFREG | 0o644)
        store.clear()
        store.close()
        #expect(CookieFolder.mode(of: folder.file) == S_IFREG | 0o600)
        #expect(CookieFolder.text(of: folder.path + "/old") == "a.test\tFALSE\t/\tFALSE\t0\ta\t1\n")
        #expect(try open(folder.file).isEmpty && folder.names == ["cookies.txt", "old"])
    }

    @Test("bad lines are skipped, and the good ones live on")
    func damage() throws {
        folder.write(
            "a.test\tFALSE\t/\tFALSE\t0\ta\t1\nnonsense\n\u{0}\u{1}\n.a.test\tTRUE\t/\tFALSE\t0\tb\t2\na.test\tFAL")
        #expect(try open(folder.file).all.map(\.name) == ["a", "b"])
    }

    @Test("a symbolic link of the user's own is followed, and stays")
    func ownLink() throws {
        symlink("target", folder.file)
        #expect(throws: NetcoreError.self) { try open(folder.file) }
        folder.write("")
        let store = try open(folder.file)
        try store.set(cookie("a"))
        store.close()
        #expect(CookieFolder.mode(of: folder.file) & S_IFMT == S_IFLNK)
        #expect(CookieFolder.text(of: folder.path + "/target").utf8.count > 20)
    }

    @Test("a symbolic link of another user is not followed", .enabled(if: geteuid() == 0, "only root can make one"))
    func foreignLink() throws {
        folder.write("")
        let link = folder.path + "/link"
        symlink(folder.file, link)
        lchown(link, 65_534, 65_534)
        #expect(throws: NetcoreError.self) { try open(link) }
    }

    @Test("a link that comes later is replaced, not followed")
    func laterLink() throws {
        let victim = folder.path + "/victim"
        let store = try open(folder.file)
        symlink(victim, folder.file)
        try store.set(cookie("a"))
        store.close()
        #expect(CookieFolder.mode(of: folder.file) == S_IFREG | 0o600 && CookieFolder.mode(of: victim) == 0)
    }

    @Test("a file that cannot be one of cookies is refused, and stays as it is")
    func unusable() throws {
        folder.write("Dear diary,\ntoday I wrote no cookies.\n")
        let pipe = folder.path + "/pipe"
        mkfifo(pipe, 0o600)
        for path in [
            folder.file, pipe, folder.path, folder.path + "/", folder.path + "/missing/cookies.txt", folder.file + "/x",
            "/dev/full",
        ] {
            #expect {
                _ = try open(path)
            } throws: { error in
                guard let error = error as? NetcoreError else { return false }
                return error.code == .storage && error.message.hasPrefix("cookie_file: ")
            }
        }
        #expect(CookieFolder.text(of: folder.file).hasPrefix("Dear diary"))
        #expect(throws: NetcoreError.self) { try open("") }
    }

    @Test("a write that fails is told once, and nothing is lost")
    func failure() throws {
        let told = Collector<String>()
        let path = folder.path
        Log.set { if $1.hasPrefix("cookie_file: \(path)") { told.add($1) } }
        defer { Log.set(nil) }
        let away = folder.path + "-away"
        let store = try open(folder.file)
        rename(folder.path, away)
        try store.set(cookie("a"))
        #expect(told.wait(for: 1).count == 1)
        try store.set(cookie("b"))
        #expect(store.all.count == 2)
        rename(away, folder.path)
        store.close()
        #expect(told.wait(for: 1).count == 1)
        #expect(try open(folder.file).all == [cookie("a"), cookie("b")])
    }

    @Test(
        "curl reads what a store writes, and a store what curl writes",
        .enabled(if: system("command -v curl >/dev/null") == 0))
    func curl() throws {
        let store = try open(folder.file)
        try store.set(cookie("a", "b=c d"))
        try store.set(Cookie(name: "e", value: "", domain: "::1", path: "/x"))
        try store.set(
            Cookie(
                name: "f", value: "\"g\"", domain: "example.org", path: "/x/y", isHostOnly: false, isSecure: true,
                isHTTPOnly: true,
                expires: 4_000_000_000))
        store.close()
        let other = folder.path + "/curl.txt"
        #expect(system("curl -s -b '\(folder.file)' -c '\(other)' file:///dev/null") == 0)
        #expect(Set(try open(other).all) == Set(store.all) && store.all.count == 3)
    }
}
