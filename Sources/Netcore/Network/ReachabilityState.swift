internal import NetcoreSupport
internal import NetcoreTransport
internal import Synchronization

/// What a client knows of the network: what the application said, else what it sees itself. For any thread.
final class ReachabilityState: @unchecked Sendable {  // what is no atomic is under `lock`
    /// What a look at the network has shown.
    struct Change {
        var isOtherNetwork = false
        var isOtherValue = false
    }

    private let lock = Lock()
    /// What holds.
    private let known = Atomic<Int32>(Reachability.unknown.rawValue)
    private let watches = Atomic<Bool>(false)
    private let listens = Atomic<Bool>(false)
    private var given = Reachability.unknown
    private var watch: NetworkWatch?
    private var listener: (@Sendable (Reachability) -> Void)?

    var value: Reachability { Reachability(rawValue: known.load(ordering: .acquiring)) ?? .unknown }

    /// Whether what fails may be the fault of a server.
    var isReachable: Bool { known.load(ordering: .relaxed) != Reachability.unreachable.rawValue }

    var isWatching: Bool { watches.load(ordering: .relaxed) }

    var hasListener: Bool { listens.load(ordering: .relaxed) }

    /// The application says something. Returns whether the value has changed.
    func set(_ new: Reachability, tellingOn worker: ApplicationWorker) -> Bool {
        lock.withLock {
            given = new
            return update(worker)
        }
    }

    func setWatch(_ new: NetworkWatch?, tellingOn worker: ApplicationWorker) -> Bool {
        lock.withLock {
            watch = new
            watches.store(new != nil, ordering: .relaxed)
            return update(worker)
        }
    }

    /// Looks at the network, if it is watched.
    func look(tellingOn worker: ApplicationWorker) -> Change {
        guard isWatching else { return Change() }
        return lock.withLock {
            let before = watch?.current
            guard let watch, let state = watch.refresh() else { return Change() }
            return Change(isOtherNetwork: state.ways != before?.ways, isOtherValue: update(worker))
        }
    }

    /// Under the lock, so that changes are told in their order.
    private func update(_ worker: ApplicationWorker) -> Bool {
        let seen: Reachability? = watch.map { $0.current.isReachable ? .reachable : .unreachable }
        let new = given == .unknown ? seen ?? given : given
        guard known.exchange(new.rawValue, ordering: .acquiringAndReleasing) != new.rawValue else { return false }
        if let listener { _ = worker.add { listener(new) } }
        return true
    }

    func setListener(_ new: (@Sendable (Reachability) -> Void)?) {
        let old = lock.withLock {
            defer { listener = new }
            listens.store(new != nil, ordering: .relaxed)
            return listener
        }
        withExtendedLifetime(old) {}
    }
}
