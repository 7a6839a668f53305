internal import NetcoreHTTP
internal import NetcoreStorage
internal import NetcoreSupport

/// The bytes of a stored body in a file that an answer consists of: all, or a range.
final class BodyRun: Sendable {
    let file: BlockFile
    let range: Range<Int>
    /// Has the entry removed that the file is of.
    private let discard: @Sendable () -> Void

    init(_ file: BlockFile, _ range: Range<Int>, of answer: CachedAnswer, in folder: String?) {
        self.file = file
        self.range = range
        let key = answer.key
        let name = answer.name.text
        discard = { [weak cache = answer.cache] in
            guard let store = cache?.disk?.isOpen(folder) else { return }
            if !store.discard(file) { store.remove(key, variant: name) }
        }
    }

    /// Some of the bytes, checked. An entry that is damaged is removed. Blocks.
    func read(_ part: Range<Int>) -> Result<ByteBuffer, NetcoreError> {
        do throws(BodyFailure) {
            return .success(try file.read(part))
        } catch {
            switch error {
            case .outOfMemory: return .failure(NetcoreError(.outOfMemory, phase: .done))
            case .damaged:
                discard()
                return .failure(NetcoreError(.truncated, "the stored body is damaged", phase: .done))
            case .unreadable(let reason):
                return .failure(NetcoreError(.truncated, "the stored body: \(reason)", phase: .done))
            }
        }
    }
}

extension Response {
    /// What its body is read from before it leaves the cache; nil if that is in memory.
    var unreadBody: BodyRun? {
        get { bodySource as? BodyRun }
        set { bodySource = newValue }
    }
}
