public import NetcoreHTTP
internal import NetcoreSupport
internal import Synchronization

/// Whether the network can be reached. Values are those of netcore/reachability.h.
public enum Reachability: Int32, Sendable, CaseIterable {
    /// Not known; treated as reachable.
    case unknown = 0
    case reachable = 1
    case unreachable = 2
}

extension Client {
    /// Whether the network can be reached, as the application knows it. While it cannot, failures are not counted against a service
    /// (``failover``), and requests with ``Request/networkWait`` wait; others are sent all the same. Default ``Reachability/unknown``.
    public var reachability: Reachability { engine.parts.reachability.value }

    /// Sets ``reachability``, and tells the function of ``onReachabilityChange(_:)`` if it has changed.
    public func setReachability(_ reachability: Reachability) throws(NetcoreError) {
        try engine.checkUsable()
        guard engine.parts.reachability.set(reachability, tellingOn: engine.parts.noticeWorker) else { return }
        engine.parts.observers.report(.reachability, value: Int(reachability.rawValue))
        engine.intake.submit(.run { loop in loop.pipeline?.limitsDidChange() })
    }

    /// Is called at each change of ``reachability``, on a thread of the client's, one call at a time; nil for none.
    public func onReachabilityChange(_ listener: (@Sendable (Reachability) -> Void)?) {
        engine.parts.reachability.setListener(listener)
    }
}

extension Request {
    /// How long the request waits for the network at most, each time that it is about to be sent while ``Client/reachability`` is
    /// `unreachable`: 1 ms to 24 h. It ends with `networkUnreachable` then. A wait before the first attempt counts to no timeout. Nil,
    /// the default: it does not wait.
    public var networkWait: Duration? {
        get { options.networkWait.map { .milliseconds($0) } }
        set { set(.networkWait) { $0.networkWait = newValue.map { Int(clamping: $0.milliseconds) } } }
    }
}

/// What a client knows of the network. For any thread.
final class ReachabilityState: @unchecked Sendable {  // the listener is under `lock`
    private let lock = Lock()
    private let known = Atomic<Int32>(0)
    private var listener: (@Sendable (Reachability) -> Void)?

    var value: Reachability { Reachability(rawValue: known.load(ordering: .acquiring)) ?? .unknown }

    /// Whether what fails may be the fault of a server.
    var isReachable: Bool { known.load(ordering: .relaxed) != Reachability.unreachable.rawValue }

    /// Returns whether it has changed.
    func set(_ new: Reachability, tellingOn worker: ApplicationWorker) -> Bool {
        lock.withLock {
            guard known.exchange(new.rawValue, ordering: .acquiringAndReleasing) != new.rawValue else { return false }
            // Within the lock, so that changes are told in their order.
            if let listener { _ = worker.add { listener(new) } }
            return true
        }
    }

    func setListener(_ new: (@Sendable (Reachability) -> Void)?) {
        let old = lock.withLock {
            defer { listener = new }
            return listener
        }
        withExtendedLifetime(old) {}
    }
}
