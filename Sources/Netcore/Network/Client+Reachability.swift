public import NetcoreHTTP
internal import NetcoreSupport
internal import NetcoreTransport

/// Whether the network can be reached. Values are those of netcore/reachability.h.
public enum Reachability: Int32, Sendable, CaseIterable {
    /// Not known; treated as reachable.
    case unknown = 0
    case reachable = 1
    case unreachable = 2
}

extension Client {
    /// Whether the network can be reached: as the application said by ``setReachability(_:)``, else as the system's links and routes say, if
    /// the client watches them (``setWatchesNetwork(_:)``), else ``Reachability/unknown``. While it cannot, failures are not counted against
    /// a service (``failover``), and requests with ``Request/networkWait`` wait; others are sent all the same.
    public var reachability: Reachability {
        if Fork.count == engine.forkCount { engine.lookAtNetwork() }
        return engine.parts.reachability.value
    }

    /// Says whether the network can be reached; `unknown`, the default, leaves it to the system's links and routes, if the client watches
    /// them. Tells the function of ``onReachabilityChange(_:)`` if ``reachability`` has changed.
    public func setReachability(_ reachability: Reachability) throws(NetcoreError) {
        try engine.checkUsable()
        guard engine.parts.reachability.set(reachability, tellingOn: engine.parts.noticeWorker) else { return }
        engine.reachabilityDidChange()
    }

    /// Whether the client watches the system's links, addresses and routes (rtnetlink). Off by default.
    public var watchesNetwork: Bool { engine.parts.reachability.isWatching }

    /// Turns ``watchesNetwork`` on or off. On: ``reachability`` follows the system where the application says nothing. When routes change, or
    /// addresses of the links that they lead by, idle connections are dropped, and those in use end after their request; connections to
    /// this host stay. What changes while nothing is under way is noticed with the next request, or at once if there is a function of
    /// ``onReachabilityChange(_:)``.
    ///
    /// - Throws: `outOfMemory` where the system gives no netlink socket.
    public func setWatchesNetwork(_ watches: Bool) throws(NetcoreError) {
        try engine.checkUsable()
        guard watches != watchesNetwork else { return }
        let watch = watches ? NetworkWatch() : nil
        guard watch != nil || !watches else {
            throw NetcoreError(.outOfMemory, argument: "client", "the system gives no netlink socket")
        }
        let isOther = engine.parts.reachability.setWatch(watch, tellingOn: engine.parts.noticeWorker)
        engine.intake.submit(
            .run { loop in loop.watchNetwork(watch) })
        if isOther { engine.reachabilityDidChange() }
        try engine.followNetwork()
    }

    /// Is called at each change of ``reachability``, on a thread of the client's, one call at a time; nil for none.
    public func onReachabilityChange(_ listener: (@Sendable (Reachability) -> Void)?) {
        engine.parts.reachability.setListener(listener)
        try? engine.followNetwork()
    }
}

extension Engine {
    /// Notices what changed while no thread drove the loop.
    fileprivate func lookAtNetwork() {
        let change = parts.reachability.look(tellingOn: parts.noticeWorker)
        if change.isOtherNetwork { intake.submit(.run { loop in loop.networkDidChange() }) }
        if change.isOtherValue { reachabilityDidChange() }
    }

    fileprivate func reachabilityDidChange() {
        parts.observers.report(.reachability, value: Int(parts.reachability.value.rawValue))
        intake.submit(.run { loop in loop.reachabilityDidChange() })
    }

    /// Has the client's thread wait for changes, if a function is to be called at each.
    fileprivate func followNetwork() throws(NetcoreError) {
        guard parts.reachability.isWatching, parts.reachability.hasListener else { return }
        try startThreads()
        intake.submit(.run { _ in })
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
