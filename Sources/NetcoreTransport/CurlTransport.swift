internal import CCurl
internal import CLinux
internal import Glibc
package import NetcoreHTTP
package import NetcoreSupport
internal import Synchronization

/// The transport over libcurl: several multi handles in one epoll loop, easy handles pooled.
package final class CurlTransport: Transport {
    /// The time of this turn of the loop.
    package private(set) var now = MonotonicTime.now
    var sockets: SocketTable
    let options: TransportOptions
    let post: @Sendable (@escaping @Sendable (CurlTransport) -> Void) -> Void
    private let share: UnsafeMutableRawPointer
    /// Addresses that are given, not looked up; as libcurl takes them.
    let resolveList: UnsafeMutablePointer<curl_slist>?
    var shards: ContiguousArray<Shard> = []
    private(set) var transfers: ContiguousArray<Transfer> = []
    private var resting: ContiguousArray<Transfer> = []
    private var hosts: [String: Host] = [:]
    private var deadlines = DeadlineHeap()
    private var shardDeadlines = DeadlineHeap()
    /// Transfers that wait for their time to go on.
    var resumptions = Timers()
    /// Shards that may have messages.
    private var spoken: ContiguousArray<Shard> = []
    private var activeCount = 0
    /// Who sent more of a body last.
    var sender: Transfer?
    /// Those whose final answer came before their body had gone out, or just after.
    var refused: [Transfer] = []
    /// The last attempt to open a socket failed for want of descriptors or memory.
    private(set) var hasRunOutOfSockets = false
    /// The socket whose event libcurl is acting on; -1 for none.
    private var activeSocket: Int32 = -1
    /// Transfers that were canceled and are still with libcurl.
    private var doomed: ContiguousArray<Transfer> = []
    /// Hosts on whose connections a stream was abandoned in this turn.
    private var abandoning: [Host] = []
    /// Of HTTP/2 connections that ended in this turn; for comparing only.
    private var closedSessions: [TLSSession] = []
    /// Those that failed in a callback of libcurl's, in which none may be ended.
    private var failing: [Transfer] = []
    /// Hops that ended before libcurl saw them.
    private var stillborn: [Stillborn] = []

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

    /// The calling thread, which is the I/O thread, needs OpenSSL no more. It could not rest while OpenSSL heard of its end.
    package static func leaveThread() { netcore_ssl_leave_thread() }

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

    // MARK: Hosts

    package func host(for origin: String) -> Host {
        if let host = hosts[origin] { return host }
        if hosts.count >= Self.maximumHosts { retireIdleHosts() }
        let host = Host(
            origin: origin, proxy: options.unixSocket == nil ? options.proxy.proxy(for: origin) : "",
            pinnedKeys: options.pinnedKeys.keys(for: Self.name(of: origin)))
        hosts[origin] = host
        return host
    }

    /// The host of "scheme://host:port", an address without its zone.
    private static func name(of origin: String) -> String {
        let afterScheme = origin.drop { $0 != ":" }.dropFirst(3)
        let host = afterScheme[..<(afterScheme.lastIndex(of: ":") ?? afterScheme.endIndex)]
        guard let zone = host.firstIndex(of: "%") else { return String(host) }
        return "\(host[..<zone])]"
    }

    private static let maximumHosts = 4096

    private func retireIdleHosts() {
        for (origin, host) in hosts where host.active == 0 {
            host.isRetired = true
            leaveShards(host)
            hosts[origin] = nil
        }
    }

    // MARK: Starting and ending

    package func start(
        _ wire: WireRequest, host: Host, limits: Limits, taskStart: MonotonicTime, handler: any TransferHandler
    ) -> any TransferToken {
        let host = mustLeaveHTTP2(wire, host) ? host.withoutHTTP2 : host
        guard let transfer = resting.popLast() ?? makeTransfer(), let shard = shard(for: host, wire) else {
            let hop = Stillborn(handler)
            stillborn.append(hop)
            return hop
        }
        transfer.begin(wire, host: host, limits: limits, taskStart: taskStart)
        transfer.handler = handler
        transfer.shard = shard
        let bufferSize = BufferPolicy.size(
            active: activeCount, lastBodySize: host.lastBodySize,
            mayMultiplex: wire.url.isSecure && options.allowsHTTP2 && host.speaksHTTP2 != false,
            rate: wire.manner.rates.receive)
        transfer.apply(wire, bufferSize: bufferSize, options)
        shard.active += 1
        activeCount += 1
        if let failure = transfer.optionFailure {
            transfer.failure = failure
            failing.append(transfer)
        } else {
            curl_multi_add_handle(shard.multi, transfer.easy)
            schedule(transfer)
        }
        return transfer
    }

    func cancel(_ transfer: Transfer) -> Response {
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

    private func bury() {
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

    private func detach(_ transfer: Transfer) {
        guard let shard = transfer.shard else { return }
        if shard.use != .ownConnection { transfer.host?.lastShard = shard }
        curl_multi_remove_handle(shard.multi, transfer.easy)
        releaseSocket(of: transfer)
        shard.active -= 1
        activeCount -= 1
        transfer.shard = nil
    }

    private func releaseSocket(of transfer: Transfer) {
        guard transfer.socket >= 0 else { return }
        sockets.release(transfer.socket, by: transfer.index)
        transfer.socket = -1
    }

    private func recycle(_ transfer: Transfer) {
        detach(transfer)
        forgetRefusal(transfer)
        if sender === transfer { sender = nil }
        // libcurl keeps what it was told for Digest in the handle, whatever the host. And 7.88 counts the dead connections that a
        // handle met over its whole life, and gives up at the sixth.
        let needsRenewal =
            transfer.connects > 1 || transfer.isSpent || transfer.optionFailure != nil
            || transfer.wire?.credentials?.isNegotiated ?? false
        transfer.rest()
        if needsRenewal { transfer.renew(options, share: share) }
        resting.append(transfer)
    }

    private func end(_ transfer: Transfer, _ code: CURLcode) {
        guard transfer.handler != nil else { return }
        let isWhole =
            code == CURLE_SEND_ERROR && transfer.readLeftover() || code == CURLE_HTTP2_STREAM && transfer.hasWholeAnswer
        let code = isWhole ? CURLE_OK : code
        if transfer.maySendAgain(code), let shard = transfer.shard {
            curl_multi_remove_handle(shard.multi, transfer.easy)
            releaseSocket(of: transfer)
            transfer.sendAgain()
            curl_multi_add_handle(shard.multi, transfer.easy)
            return
        }
        let result = transfer.result(code)
        let handler = transfer.handler
        recycle(transfer)
        handler?.transferDidEnd(result)
    }

    // MARK: The loop's turns

    /// Does all that can be done now: timers of libcurl, hops that ended, deadlines. Handlers are called from here alone.
    package func drive() {
        now = .now
        bury()
        var isBusy = true
        while isBusy {
            resumeDue()
            // What has ended gives its connection back first: a new request may take it.
            isBusy = readMessages()
            actOnTimers()
            if readMessages() { isBusy = true }
            if endLate() { isBusy = true }
            if endStillborn() { isBusy = true }
            if endFailing() { isBusy = true }
            flushAbandonedStreams()
            // A handler may have canceled others.
            bury()
            if let first = shardDeadlines.first, first.time <= now { isBusy = true }
        }
        closedSessions.removeAll(keepingCapacity: true)
    }

    /// Whether the HTTP/2 connection of a TLS session ended in this turn.
    func hasClosed(_ session: TLSSession) -> Bool { closedSessions.contains(session) }

    private func actOnTimers() {
        while let entry = shardDeadlines.popDue(now) {
            let shard = shards[entry.id]
            guard shard.scheduled == entry.time else { continue }
            shard.scheduled = .never
            guard shard.deadline <= now else {
                schedule(shard)
                continue
            }
            shard.deadline = .never
            shard.act(CURL_SOCKET_TIMEOUT, 0)
        }
    }

    /// Enters a shard's deadline, unless the heap will look at it before then anyway.
    func schedule(_ shard: Shard) {
        guard shard.deadline < shard.scheduled else { return }
        shard.scheduled = shard.deadline
        shardDeadlines.insert(DeadlineHeap.Entry(time: shard.deadline, id: shard.index))
    }

    func noteMessages(of shard: Shard) {
        guard !shard.mayHaveMessages else { return }
        shard.mayHaveMessages = true
        spoken.append(shard)
    }

    /// When ``drive()`` has something to do without an event.
    package var nextDeadline: MonotonicTime {
        guard failing.isEmpty, stillborn.isEmpty else { return now }
        return min(deadlines.first?.time ?? .never, shardDeadlines.first?.time ?? .never, resumptions.next)
    }

    package func socketReady(_ descriptor: Int32, _ events: UInt32) {
        guard let shard = sockets.shard(for: descriptor) else { return }
        var mask: Int32 = 0
        if events & (EPOLLIN.rawValue | EPOLLHUP.rawValue) != 0 { mask |= CURL_CSELECT_IN }
        if events & EPOLLOUT.rawValue != 0 { mask |= CURL_CSELECT_OUT }
        if events & EPOLLERR.rawValue != 0 { mask |= CURL_CSELECT_ERR }
        activeSocket = descriptor
        shard.act(descriptor, mask)
        activeSocket = -1
        for transfer in refused { resume(transfer) }
    }

    /// Whether there is something to be read, or an end, at the socket that libcurl acts on. It knows what epoll said a while ago;
    /// where it acts without an event, it asks the system itself.
    var hasInput: Bool {
        guard activeSocket >= 0 else { return false }
        var byte: UInt8 = 0
        return recv(activeSocket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) >= 0 || errno != EAGAIN
    }

    /// The thread has woken: the time has moved on.
    package func beginTurn() { now = .now }

    private func readMessages() -> Bool {
        var hasRead = false
        while let shard = spoken.popLast() {
            shard.mayHaveMessages = false
            if readMessages(shard) { hasRead = true }
        }
        return hasRead
    }

    private func readMessages(_ shard: Shard) -> Bool {
        var left: Int32 = 0
        var hasRead = false
        while let message = curl_multi_info_read(shard.multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
                let context = netcore_getinfo_pointer(easy)
            else { continue }
            hasRead = true
            let code = netcore_message_result(message)
            end(Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue(), code)
        }
        return hasRead
    }

    private func endStillborn() -> Bool {
        guard !stillborn.isEmpty else { return false }
        let ended = stillborn
        stillborn = []
        for hop in ended { hop.end() }
        return true
    }

    private func endFailing() -> Bool {
        guard !failing.isEmpty else { return false }
        let ended = failing
        failing = []
        // One that has begun anew in the meantime has no failure.
        for transfer in ended where transfer.failure != nil { end(transfer, CURLE_ABORTED_BY_CALLBACK) }
        return true
    }

    // MARK: Abandoned HTTP/2 streams

    func noteAbandonedStream(of host: Host) {
        guard !host.hasAbandonedStreams else { return }
        host.hasAbandonedStreams = true
        abandoning.append(host)
    }

    /// Makes libcurl send what it keeps back on connections that other streams still use: lifting a pause does.
    private func flushAbandonedStreams() {
        guard !abandoning.isEmpty else { return }
        for transfer in transfers where transfer.host?.hasAbandonedStreams ?? false {
            curl_easy_pause(transfer.easy, CURLPAUSE_RECV | transfer.pauses)
            curl_easy_pause(transfer.easy, transfer.pauses)
        }
        for host in abandoning { host.hasAbandonedStreams = false }
        abandoning.removeAll()
    }

    // MARK: Deadlines

    /// Enters a transfer's next deadline, unless the heap will look at it before then anyway.
    func schedule(_ transfer: Transfer) {
        guard let wire = transfer.wire else { return }
        let deadline = transfer.hopTime.deadline(wire.timeouts).time
        guard deadline < transfer.scheduled else { return }
        transfer.scheduled = deadline
        deadlines.insert(DeadlineHeap.Entry(time: deadline, id: transfer.index))
    }

    private func endLate() -> Bool {
        var hasEnded = false
        while let entry = deadlines.popDue(now) {
            let transfer = transfers[entry.id]
            guard transfer.scheduled == entry.time else { continue }
            transfer.scheduled = .never
            guard let wire = transfer.wire, transfer.handler != nil else { continue }
            transfer.hopTime.rateWindow.advance(to: now, wire.timeouts.minimumRate)
            let (time, code) = transfer.hopTime.deadline(wire.timeouts)
            guard time <= now else {
                schedule(transfer)
                continue
            }
            if transfer.bodyUse != .delivered, code != .timeoutTotal {
                transfer.dropBody()
                transfer.abandonStream()
                end(transfer, CURLE_OK)
                continue
            }
            transfer.fail(NetcoreError(code, "\(code.summary): \(wire.url.display)", phase: transfer.phase))
            end(transfer, CURLE_OPERATION_TIMEDOUT)
            hasEnded = true
        }
        return hasEnded
    }

    // MARK: Sockets

    /// libcurl waits for a descriptor on behalf of a transfer.
    func watch(_ descriptor: Int32, _ what: Int32, for easy: UnsafeMutableRawPointer?, in shard: Shard) {
        let isWatched = sockets.watch(descriptor, what, for: shard)
        guard what != CURL_POLL_REMOVE, !isWatched || sockets.isNew(descriptor),
            let context = easy.flatMap({ netcore_getinfo_pointer($0) })
        else { return }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        transfer.moves(to: descriptor)
        if options.unixSocket != nil { sockets.take(descriptor, by: transfer.index) }
        guard !isWatched else { return }
        transfer.fail(NetcoreError(.outOfMemory, "the system watches no more descriptors", phase: transfer.phase))
        failing.append(transfer)
    }

    func openSocket(_ address: curl_sockaddr) -> curl_socket_t {
        let type = address.socktype | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.family, type, address.protocol)
        hasRunOutOfSockets = descriptor < 0 && [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno)
        if descriptor >= 0 { sockets.opened(descriptor) }
        return descriptor
    }

    func closeSocket(_ descriptor: curl_socket_t) -> Int32 {
        // The transfers go before the connections when the client ends.
        if let owner = sockets.owner(of: descriptor), owner < transfers.count { transfers[owner].connectionCloses() }
        if let session = sockets.closed(descriptor) { closedSessions.append(session) }
        sender?.saveLeftover(of: descriptor)
        return close(descriptor)
    }
}
