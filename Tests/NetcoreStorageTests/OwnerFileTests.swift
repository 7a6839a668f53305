import Glibc
@testable import NetcoreStorage
import Testing

@Suite("A part on a file system without locks")
struct OwnerFileTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/file.netcore-owner" }

    private func expectBusy() {
        #expect {
            _ = try OwnerFile(path)
        } throws: {
            ($0 as? FileFailure)?.kind == .busy
        }
    }

    /// As if it was last touched so long ago.
    private func age(seconds: Int) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        now.tv_sec -= seconds
        let times = [now, now]
        #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
    }

    @Test("has one owner at a time, who leaves nothing behind")
    func one() throws {
        for _ in 0..<2 {
            let owner = try OwnerFile(path)
            #expect(owner.isOwn && OwnerFile.isHeld(path))
            expectBusy()
            expectBusy()
            withExtendedLifetime(owner) {}
        }
        #expect(TemporaryFolder.names(in: folder.path).isEmpty && !OwnerFile.isHeld(path))
    }

    @Test("is taken over when it was not touched for long, and not before")
    func left() throws {
        TemporaryFolder.write([], to: path)
        age(seconds: Int(OwnerFile.patience) - 10)
        expectBusy()
        age(seconds: Int(OwnerFile.patience) + 10)
        #expect(!OwnerFile.isHeld(path))
        let first = try OwnerFile(path)
        expectBusy()
        age(seconds: Int(OwnerFile.patience) + 10)
        let second = try OwnerFile(path)
        #expect(!first.isOwn && second.isOwn)
        #expect(TemporaryFolder.names(in: folder.path) == ["file.netcore-owner"])
    }
}
