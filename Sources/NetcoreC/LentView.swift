internal import Glibc

/// A text with a NUL byte after it.
final class LentText {
    let text: ContiguousArray<CChar>

    init(_ text: String) { self.text = text.utf8CString }
}

/// What a thread was lent last of one kind: its bytes stay until the thread is lent another one, whatever becomes of where it came from.
struct LentView: Sendable {
    static let ofRequest = LentView()
    static let ofRetries = LentView()
    static let ofFailover = LentView()
    static let ofEvents = LentView()
    static let ofEventBlocks = LentView()
    static let ofLines = LentView()
    static let ofEventSources = LentView()
    static let ofItems = LentView()
    static let ofPages = LentView()

    private let key: pthread_key_t

    private init() {
        var key = pthread_key_t()
        pthread_key_create(&key) { if let kept = $0 { Unmanaged<AnyObject>.fromOpaque(kept).release() } }
        self.key = key
    }

    func keep(_ view: AnyObject) {
        if let old = pthread_getspecific(key) { Unmanaged<AnyObject>.fromOpaque(old).release() }
        pthread_setspecific(key, Unmanaged.passRetained(view).toOpaque())
    }
}
