internal import NetcoreSupport

/// The observers of the clients that use a cache: they are notified of what happens to its disk level. For any thread.
final class CacheListeners: @unchecked Sendable {  // the list is under `lock`
    private struct Listener {
        weak var observers: Observers?
    }

    private let lock = Lock()
    private var all: [Listener] = []

    func add(_ observers: Observers) {
        lock.withLock {
            all.removeAll { $0.observers == nil }
            all.append(Listener(observers: observers))
        }
    }

    func report(_ event: Cache.Event) {
        for observers in lock.withLock({ all.compactMap(\.observers) }) {
            observers.report(.storage, value: event.number)
        }
    }
}

extension Cache.Event {
    /// That of netcore/cache.h.
    var number: Int {
        switch self {
        case .setAside: 1
        case .storingStopped: 2
        case .storingResumed: 3
        case .damagedEntry: 4
        }
    }
}
