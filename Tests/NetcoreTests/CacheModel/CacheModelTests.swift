import Glibc
import TestSupport
import Testing

/// Random sequences of all that a cache goes through, against a simple reference: no answer that it forbids.
@Suite struct CacheModelTests {
    /// How many: 100,000 among the long proofs. Each is its own: `NETCORE_TEST_SEED` runs the one of that seed alone.
    private static let count = Peers.number("NETCORE_TEST_SEQUENCES") ?? 3000
    private static let shares = 8

    @Test("no answer that the model forbids", arguments: 0..<shares)
    func check(share: Int) async throws {
        var seeds = stride(from: share, to: Self.count, by: Self.shares).map { UInt64($0) }
        if let one = Peers.number("NETCORE_TEST_SEED").map(UInt64.init) { seeds = share == 0 ? [one] : [] }
        var served = 0
        var revalidated = 0
        for seed in seeds {
            // Others wait for the few threads there are, some of them on a clock.
            await Task.yield()
            let folder = hasDisk(seed) ? ModelFolder() : nil
            var run = ModelRun(seed: seed, folder: folder?.path)
            do {
                try run.run()
            } catch {
                print("CacheModelTests: share \(share) failed at its sequence \(seed / UInt64(Self.shares) + 1)")
                Issue.record("the sequence with NETCORE_TEST_SEED=\(seed):\n\(story(seed))")
                return
            }
            run.close()
            withExtendedLifetime(folder) {}
            served += run.reference.served
            revalidated += run.reference.revalidated
        }
        // A cache that serves nothing forbids nothing either.
        if seeds.count > 100 { #expect(served > seeds.count * 2 && revalidated > seeds.count / 4) }
    }
}

private func hasDisk(_ seed: UInt64) -> Bool { seed % 7 == 0 }

/// The same sequence once more, with all that led to its end.
private func story(_ seed: UInt64) -> String {
    let folder = hasDisk(seed) ? ModelFolder() : nil
    var run = ModelRun(seed: seed, folder: folder?.path, isLogging: true)
    defer {
        run.close()
        withExtendedLifetime(folder) {}
    }
    do {
        try run.run()
        return "it does not happen again"
    } catch {
        return "\(error)"
    }
}

/// A folder in memory, where there is such a file system; it goes away with this.
final class ModelFolder {
    let path: String

    init() {
        let base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var name = Array("\(base)/netcore-model-XXXXXX".utf8CString)
        path = mkdtemp(&name).map { String(cString: $0) } ?? ""
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        guard let directory = opendir(path) else { return }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name != ".", name != ".." else { continue }
            if unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
        }
        rmdir(path)
    }
}
