internal import CCurl
internal import CLinux
internal import Glibc
package import NetcoreHTTP
package import NetcoreSupport
internal import Synchronization

/// The transport over libcurl: several multi handles in one epoll loop, easy handles pooled.
package final class CurlTransport: Transport {
    /// The time of this turn of the loop.
    package var now = MonotonicTime.now
    let sockets: SocketTable
    let options: TransportOptions
    let post: @Sendable (@escaping @Sendable (CurlTransport) -> Void) -> Void
    private let share: UnsafeMutableRawPointer
    /// Addresses that are given, not looked up; as libcurl takes them.
    let resolveList: UnsafeMutablePointer<curl_slist>?
    var shards: ContiguousArray<Shard> = []
    var transfers: ContiguousArray<Transfer> = []
    private var resting: ContiguousArray<Transfer> = []
    var hosts: [String: Host] = [:]
    var deadlines = DeadlineHeap()
    var shardDeadlines = DeadlineHeap()
    /// Transfers that wait for their time to go on.
    var resumptions = Timers()
    /// Shards that may have messages.
    var spoken: ContiguousArray<Shard> = []
    private var activeCount = 0
    /// Who sent more of a body last.
    var sender: Transfer?
    /// Those whose final answer came before their body had gone out, or just after.
    var refused: [Transfer] = []
    /// The last attempt to open a socket failed for want of descriptors or memory.
    var hasRunOutOfSockets = false
    /// The socket whose event libcurl is acting on; -1 for none.
    var activeSocket: Int32 = -1
    /// Transfers that were canceled and are still with libcurl.
    private var doomed: ContiguousArray<Transfer> = []
    /// Hosts on whose connections a stream was abandoned in this turn.
    var abandoning: [Host] = []
    /// Of HTTP/2 connections that ended in this turn; for comparing only.
    var closedSessions: [TLSSession] = []
    /// Those that failed in a callback of libcurl's, in which none may be ended.
    var failing: [Transfer] = []
    /// Those whose streams got bytes in this turn.
    var fed: ContiguousArray<Transfer> = []
    /// libcurl reads from sockets, in place of handing over what it kept during a pause.
    var isReading = false
    /// Those that read no more in this turn.
    var readOver: ContiguousArray<Transfer> = []
    /// Hops that ended before libcurl saw them.
    var stillborn: [Stillborn] = []

    /// libcurl's global state is set up once, and stays for the life of the process. What an I/O thread may be using when the
    /// process exits stays too, or the thread rests before it goes.
    ///
    /// On a thread of its own, that has ended: a thread that used OpenSSL takes a lock of the process as it ends, and nothing would
    /// keep a fork from finding it held by the application's.
    ///
    /// Where it fails, as without memory or descriptors, the next client tries again. Clients are made one at a time until then.
    private static var isReady: Bool {
        if isUp.load(ordering: .acquiring) { return true }
        nonisolated(unsafe) var succeeded = false
        if let thread = Thread(name: "netcore-setup", { succeeded = setUp() }) {
            thread.join()
        } else {
            succeeded = setUp()
        }
        if succeeded { isUp.store(true, ordering: .releasing) }
        return succeeded
    }

    private static let isUp = Atomic<Bool>(false)

    private static func setUp() -> Bool {
        netcore_ssl_outlive_exit { Standstill.beginForGood() } == 1
            && curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK
    }

    /// The calling thread, which drove the loop, needs OpenSSL no more. It could not rest while OpenSSL heard of its end.
    package static func leaveOpenSSL() { netcore_ssl_leave_thread() }

    /// The same, and of the rest that it keeps for the thread.
    package func leaveThread() {
        endTurn()
        if usesOpenSSL { Self.leaveOpenSSL() }
    }

    /// Whether libcurl may have used OpenSSL for this client.
    package private(set) var usesOpenSSL = false
    /// Raised where libcurl starts a thread that looks up a name, until the end of the turn.
    var shield = SignalShield()

    /// Nil when libcurl cannot start.
    ///
    /// - Parameter post: runs a function on the I/O thread soon, unless the client ends before.
    package init?(
        loop: EventLoop, options: TransportOptions,
        post: @escaping @Sendable (@escaping @Sendable (CurlTransport) -> Void) -> Void
    ) {
        guard Self.isReady, let share = Self.makeShare() else { return nil }
        self.share = share
        self.options = options
        self.post = post
        resolveList = options.resolve.reduce(nil) { curl_slist_append($0, $1) ?? $0 }
        sockets = SocketTable(loop: loop)
    }

    /// What all transfers have in common: looked-up names and TLS sessions.
    private static func makeShare() -> UnsafeMutableRawPointer? {
        guard let share = curl_share_init() else { return nil }
        for data in [CURL_LOCK_DATA_DNS, CURL_LOCK_DATA_SSL_SESSION]
        where netcore_share_setopt_long(share, CURLSHOPT_SHARE, Int(data.rawValue)) != CURLSHE_OK {
            curl_share_cleanup(share)
            return nil
        }
        return share
    }

    deinit {
        // Easy handles before the multi handles they used, and the share last.
        for transfer in transfers where transfer.shard != nil { detach(transfer) }
        resting.removeAll()
        transfers.removeAll()
        for host in hosts.values {
            leaveShards(host)
        }
        shards.removeAll()
        curl_share_cleanup(share)
        curl_slist_free_all(resolveList)
    }

    var verifiesPeer: Bool { options.verifiesPeer }

    // MARK: Starting and ending

    package func start(
        _ wire: WireRequest, host: Host, limits: Limits, taskStart: MonotonicTime, handler: any TransferHandler
    ) -> any TransferToken {
        let host = mustLeaveHTTP2(wire, host) ? host.withoutHTTP2 : host
        guard let transfer = resting.popLast() ?? makeTransfer(), let shard = shard(for: host, wire, handler)
        else {
            let hop = Stillborn(handler)
            stillborn.append(hop)
            return hop
        }
        // Not as it ended: libcurl may refuse an option for want of memory, which comes back.
        if transfer.optionFailure != nil { transfer.renew(options, share: share) }
        if wire.url.isSecure || wire.credentials != nil || !host.proxy.isEmpty { usesOpenSSL = true }
        transfer.begin(wire, host: host, limits: limits, taskStart: taskStart)
        transfer.handler = handler
        transfer.shard = shard
        let bufferSize = BufferPolicy.size(
            active: activeCount, lastBodySize: host.lastBodySize,
            mayMultiplex: wire.url.isSecure && options.allowsHTTP2 && host.speaksHTTP2 != false,
            isStreamed: wire.manner.isStreamed, rate: wire.manner.rates.receive)
        transfer.apply(wire, bufferSize: bufferSize, options)
        shard.active += 1
        activeCount += 1
        if let failure = transfer.optionFailure {
            transfer.failure = failure
            failing.append(transfer)
        } else {
            add(transfer, to: shard)
        }
        return transfer
    }

    private func add(_ transfer: Transfer, to shard: Shard) {
        guard curl_multi_add_handle(shard.multi, transfer.easy) == CURLM_OK else {
            transfer.failure = NetcoreError(.outOfMemory, "libcurl takes no more transfers", phase: .connect)
            return failing.append(transfer)
        }
        schedule(transfer)
    }

    func cancel(_ transfer: Transfer) -> Response {
        transfer.reportFailedConnection()
        let result = transfer.known()
        result.error = NetcoreError(.canceled, phase: transfer.phase)
        transfer.handler = nil
        transfer.feed?.cancel()
        doomed.append(transfer)
        return result
    }

    /// Whether so many canceled transfers have to be taken from libcurl that it takes a noticeable time: each closes its
    /// connection.
    package var hasManyDoomed: Bool { doomed.count > 32 }

    /// Whether libcurl has a transfer, or something else to do.
    package var isBusy: Bool { hasTransfers || shards.contains { $0.deadline != .never } }

    /// Whether hops are under way.
    package var hasTransfers: Bool {
        activeCount > 0 || !doomed.isEmpty || !failing.isEmpty || !stillborn.isEmpty
    }

    func bury() {
        guard !doomed.isEmpty else { return }
        for transfer in doomed {
            transfer.abandonStream()
            recycle(transfer)
        }
        doomed.removeAll(keepingCapacity: true)
    }

    private func makeTransfer() -> Transfer? {
        guard let transfer = Transfer(index: transfers.count, transport: self) else { return nil }
        transfer.setUp(options, share: share)
        transfers.append(transfer)
        return transfer
    }

    func detach(_ transfer: Transfer) {
        guard let shard = transfer.shard else { return }
        if shard.use == .usual || shard.use == .withoutHTTP2 { transfer.host?.lastShard = shard }
        // A handle that cannot be removed is not used again: its end removes it.
        if curl_multi_remove_handle(shard.multi, transfer.easy) != CURLM_OK { transfer.isSpent = true }
        releaseSocket(of: transfer)
        shard.active -= 1
        activeCount -= 1
        transfer.shard = nil
    }

    func releaseSocket(of transfer: Transfer) {
        guard transfer.socket >= 0 else { return }
        sockets.release(transfer.socket, by: transfer.index)
        transfer.socket = -1
    }

    func recycle(_ transfer: Transfer) {
        detach(transfer)
        forgetRefusal(transfer)
        if sender === transfer { sender = nil }
        // libcurl keeps what it was told for Digest in the handle, whatever the host. And 7.88 counts the dead connections that a
        // handle met over its whole life, and gives up at the sixth.
        let needsRenewal =
            transfer.resending.connects > 1 || transfer.isSpent || transfer.wire?.credentials?.isNegotiated ?? false
        transfer.rest()
        if needsRenewal { transfer.renew(options, share: share) }
        resting.append(transfer)
    }

    func end(_ transfer: Transfer, _ code: CURLcode) {
        guard transfer.handler != nil else { return }
        let isWhole =
            code == CURLE_SEND_ERROR && transfer.readLeftover() || code == CURLE_HTTP2_STREAM && transfer.hasWholeAnswer
        if code == CURLE_SEND_ERROR { sockets.cutUnsent(transfer.socket, by: transfer.index) }
        let code = isWhole ? CURLE_OK : code
        if transfer.waitsForSink(code) { return }
        if transfer.goesAgain(code), let shard = transfer.shard {
            curl_multi_remove_handle(shard.multi, transfer.easy)
            releaseSocket(of: transfer)
            transfer.sendAgain()
            add(transfer, to: shard)
            return
        }
        transfer.reportFailedConnection()
        let result = transfer.result(code)
        let handler = transfer.handler
        recycle(transfer)
        handler?.transferDidEnd(result)
    }
}
