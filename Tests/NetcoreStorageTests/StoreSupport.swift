import Glibc
import NetcoreStorage
import NetcoreSupport
import Testing

/// A folder that goes away with it.
final class TemporaryFolder {
    let path: String

    init() {
        var name = Array("/tmp/netcore-store-XXXXXX".utf8CString)
        path = mkdtemp(&name).map { String(cString: $0) } ?? ""
    }

    deinit { Self.removeAll(path) }

    static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    static func removeAll(_ path: String) {
        chmod(path, 0o700)
        for name in names(in: path) {
            if unlink(path + "/" + name) != 0 { removeAll(path + "/" + name) }
        }
        rmdir(path)
    }

    static func bytes(of path: String) -> [UInt8] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var information = stat()
        fstat(fileno(file), &information)
        var bytes = [UInt8](repeating: 0, count: Int(information.st_size))
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes[..<count])
    }

    static func write(_ bytes: [UInt8], to path: String) {
        guard let file = fopen(path, "w") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    static func mode(of path: String) -> mode_t {
        var information = stat()
        return stat(path, &information) == 0 ? information.st_mode & 0o777 : 0
    }
}

/// What a store told, from any thread.
final class Events: @unchecked Sendable {
    private let lock = Lock()
    private var told: [StoreEvent] = []

    var all: [StoreEvent] { lock.withLock { told } }

    func add(_ event: StoreEvent) { lock.withLock { told.append(event) } }

    var setAside: [String] {
        all.compactMap { if case .setAside(let path, _) = $0 { path } else { nil } }
    }
}

/// A clock that tests set.
final class TestClock: @unchecked Sendable {
    private let lock = Lock()
    private var time = MonotonicTime(microseconds: 0)

    var now: MonotonicTime { lock.withLock { time } }

    func advance(milliseconds: Int) { lock.withLock { time = time.adding(milliseconds: milliseconds) } }
}

func buffer(_ text: String) -> ByteBuffer { buffer(Array(text.utf8)) }

func buffer(_ bytes: [UInt8]) -> ByteBuffer {
    let buffer = ByteBuffer()
    bytes.withUnsafeBytes { _ = buffer.append($0) }
    return buffer
}

func array(_ buffer: ByteBuffer) -> [UInt8] { Array(buffer.bytes) }

/// The bytes of a body; none if it cannot be read.
func array(_ body: StoredBody) -> [UInt8] { (try? body.readAll()).map(array) ?? [] }

/// Bytes that nothing packs, the same for the same seed.
func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    return (0..<count).map { _ in
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return UInt8(truncatingIfNeeded: state >> 24)
    }
}

func record(
    _ key: String, variant: String = "", url: String? = nil, tag: String = "", scope: String = "", order: Int64 = 1,
    head: String = "head", body: [UInt8] = Array("body".utf8)
) -> StoredRecord {
    StoredRecord(
        key: StoreKey(key), variant: variant, url: url ?? "http://a.test/\(key)", tag: tag, scope: scope, order: order,
        storedAt: Timestamp(wall: 1_000_000, uptime: 1000, boot: 7), freshUntil: 2_000_000, head: buffer(head),
        body: .memory(buffer(body)))
}

func options(_ events: Events? = nil, _ change: (inout DiskOptions) -> Void = { _ in }) -> DiskOptions {
    var options = DiskOptions()
    if let events { options.onEvent = { events.add($0) } }
    change(&options)
    return options
}

extension LoadResult {
    /// The bytes that were found.
    var body: [UInt8]? {
        if case .found(let record) = self { array(record.body) } else { nil }
    }
}

extension DiskStore {
    /// The first of a key's answers.
    func find(_ key: String) -> StoredRecord? {
        if case .found(let record) = load(StoreKey(key), select: { _ in 0 }) { record } else { nil }
    }

    func body(_ key: String) -> [UInt8]? { find(key).map { array($0.body) } }

    func has(_ key: String) -> Bool { find(key) != nil }
}

/// Opens a store, closes it whatever happens, and returns what `body` made of it.
@discardableResult
func withStore<Result>(
    _ folder: TemporaryFolder, _ options: DiskOptions = DiskOptions(), _ body: (DiskStore) throws -> Result
) rethrows -> Result {
    let store = DiskStore(path: folder.path, options: options)
    defer { store.close() }
    return try body(store)
}
