package import NetcoreHTTP

/// Groups with an order: what they keep, how long they may take, and how much they have transferred.
extension RequestGroup {
    /// Bytes of bodies, of all members, as transferred.
    public struct Bytes: Sendable, Hashable {
        public internal(set) var received = 0
        public internal(set) var sent = 0

        mutating func add(_ progress: RequestTask.Progress) {
            received += progress.received
            sent += progress.sent
        }
    }

    /// Bytes of the members that have ended and of those that are under way. Takes time in proportion to the number of members.
    public var bytes: Bytes {
        let (ended, members) = lock.withLock { (endedBytes, self.members) }
        var sum = ended
        for task in members where task.state == .running { sum.add(task.progress) }
        return sum
    }

    /// Sets what decides which members start. Before the first member.
    ///
    /// - Parameters:
    ///   - timeLimit: milliseconds from the dispatch to the end; nil for none.
    ///   - dropsResponses: responses are not kept for ``results``.
    package func setOrder(
        _ order: any GroupOrder, timeLimit: Int?, dropsResponses: Bool
    ) throws(NetcoreError) {
        try engine.checkUsable()
        try lock.withLock { () throws(NetcoreError) in
            guard !counts.isDispatched, verdict == nil, members.isEmpty else {
                throw NetcoreError(.invalidState, argument: "group", "has members, or has been dispatched or canceled")
            }
            self.order = order
            rule = order.rule
            self.timeLimit = timeLimit
            self.dropsResponses = dropsResponses
        }
    }

    /// A member starts only when another one has succeeded, and its callback has returned.
    package func add(_ task: RequestTask, after other: RequestTask) throws(NetcoreError) {
        try engine.checkUsable()
        try lock.withLock { () throws(NetcoreError) in
            guard order != nil else {
                throw NetcoreError(.invalidState, argument: "group", "has no options")
            }
            guard task.group === self else { throw Self.isNoMember("task") }
            guard other.group === self else { throw Self.isNoMember("after") }
            guard !counts.isDispatched, verdict == nil else { throw Self.isClosed }
            try order?.add(task.memberIndex, after: other.memberIndex)
        }
    }

    private static func isNoMember(_ name: String) -> NetcoreError {
        NetcoreError(.invalidArgument, argument: name, "not a member of the group")
    }

    var hasOrder: Bool { lock.withLock { order != nil } }

    var waitsForCallbacks: Bool { lock.withLock { order?.waitsForCallbacks ?? false } }

    /// What became of the members, in the order of adding: nil for one that has not ended. Empty for a group without options.
    public var results: [MemberResult?] { lock.withLock { Array(ends) } }

    /// The same for one member.
    ///
    /// - Throws: ``NetcoreError``: `invalidState` for a group without options, `notFound` if there is no such member, `inProgress` if it has
    ///   not ended.
    package func result(at index: Int) throws(NetcoreError) -> MemberResult {
        try lock.withLock { () throws(NetcoreError) in
            guard order != nil else {
                throw NetcoreError(.invalidState, argument: "group", "has no options, and keeps no results")
            }
            guard ends.indices.contains(index) else {
                throw NetcoreError(.notFound, argument: "index", "the group has \(ends.count) members")
            }
            guard let result = ends[index] else { throw NetcoreError(.inProgress, "the member has not ended") }
            return result
        }
    }

    // MARK: For the loop

    /// Keeps how a member ended.
    func keep(_ task: RequestTask, _ code: NetcoreError.Code, _ response: Response?) {
        task.onLoop.endCode = code
        lock.withLock {
            guard order != nil else { return }
            ends[task.memberIndex] = MemberResult(
                taskID: task.id, failure: code == .ok ? nil : code, response: dropsResponses ? nil : response,
                userData: task.userData)
        }
    }

    var allMembers: [RequestTask] { lock.withLock { members } }

    /// Starts the timer of a group with a time limit, once.
    func startTimer(_ start: (Int) -> Int) {
        lock.withLock {
            guard timer == nil, let limit = timeLimit else { return }
            timer = start(limit)
        }
    }

    func stopTimer(_ stop: (Int) -> Void) {
        lock.withLock { if let timer { stop(timer) } }
    }
}
