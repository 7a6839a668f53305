package import NetcoreHTTP
internal import NetcoreSupport

/// What becomes a member of a group.
extension RequestGroup {
    /// Adds a member. `made` is called with the task before it can end.
    package func add(
        _ work: RequestTask.Work, sink: RequestTask.Sink, userData: UInt = 0, made: (RequestTask) -> Void = { _ in }
    ) throws(NetcoreError) -> RequestTask {
        try engine.checkUsable()
        let task = try RequestTask(engine: engine, work: work, sink: sink, userData: userData)
        made(task)
        do throws(NetcoreError) {
            try admit(task)
            return task
        } catch {
            task.releaseID()
            throw error
        }
    }

    /// Takes a member in, here and in the engine's registry, at once: it is never seen in only one of them.
    private func admit(_ task: RequestTask) throws(NetcoreError) {
        try lock.withLock { () throws(NetcoreError) in
            try checkOpen()
            task.join(self, at: members.count)
            guard engine.intake.register(task) else { throw Intake.shutDownError }
            append(task)
        }
    }

    /// Adds a task that was made by ``Client/makeTask(_:onEarlyResponse:onProgress:onCompletion:)`` of the same client and has not been
    /// dispatched. The group dispatches it.
    ///
    /// - Throws: ``NetcoreError``: `invalidArgument` for another client's, `invalidState` for a member of this or another group, for a
    ///   task that was dispatched or has ended, and if the group takes no more members.
    public func add(_ task: RequestTask) throws(NetcoreError) {
        try engine.checkUsable()
        guard task.engine === engine else { throw Self.isForeign("task") }
        try lock.withLock { () throws(NetcoreError) in
            try checkOpen()
            try engine.intake.join(task, self, at: members.count)
            append(task)
        }
    }

    /// Under the lock.
    private func checkOpen() throws(NetcoreError) {
        let isOpen = !counts.isDispatched || (order?.isOpenWhileRunning ?? false) && counts.ended < counts.total
        guard isOpen, verdict == nil else { throw Self.isClosed }
    }

    /// Under the lock.
    private func append(_ task: RequestTask) {
        members.append(task)
        counts.total += 1
        order?.add()
        if order != nil { ends.append(nil) }
    }

    private static func isForeign(_ name: String) -> NetcoreError {
        NetcoreError(.invalidArgument, argument: name, "belongs to another client")
    }

    // MARK: Groups as members

    private static let deepest = 64

    /// Adds a group of the same client as a member, which this one dispatches. It ends as the member group does, after that one's
    /// notification.
    ///
    /// - Returns: the task that stands for it. Canceling that cancels the member group.
    package func add(
        _ group: RequestGroup, sink: Sink, userData: UInt = 0, made: (RequestTask) -> Void = { _ in }
    ) throws(NetcoreError) -> RequestTask {
        try engine.checkUsable()
        guard group.engine === engine else { throw Self.isForeign("member") }
        return try engine.nesting.withLock { () throws(NetcoreError) in
            let levels = try depth(without: group)
            guard levels + group.height <= Self.deepest else {
                throw NetcoreError(.invalidArgument, argument: "member", "nested more than \(Self.deepest) deep")
            }
            // Under both locks: once it is a member, it may be started and canceled as one.
            let task = try group.lock.withLock { () throws(NetcoreError) in
                try group.checkFree()
                let task = try add(.group(group), sink: .none, made: { made($0) })
                group.owner = task
                group.sink = sink
                group.userData = userData
                return task
            }
            raise(to: group.height + 1)
            return task
        }
    }

    /// How many groups stand above the members of this one.
    private func depth(without member: RequestGroup) throws(NetcoreError) -> Int {
        var depth = 1
        var group = self
        while true {
            guard group !== member else {
                throw NetcoreError(.invalidArgument, argument: "member", "the group would be a member of itself")
            }
            guard let above = group.lock.withLock({ group.owner?.group }) else { return depth }
            group = above
            depth += 1
        }
    }

    private func raise(to height: Int) {
        var group = self
        var height = height
        while group.height < height {
            group.height = height
            guard let above = group.lock.withLock({ group.owner?.group }) else { return }
            group = above
            height += 1
        }
    }

    /// Whether it can become a member of another group. Under the lock.
    private func checkFree() throws(NetcoreError) {
        guard owner == nil else {
            throw NetcoreError(.invalidState, argument: "member", "is a member of a group already")
        }
        guard !counts.isDispatched, verdict == nil else {
            throw NetcoreError(.invalidState, argument: "member", "has been dispatched or canceled already")
        }
    }

    /// The group that this one is a member of starts it. False when the client has been shut down.
    func beginAsMember() -> Bool {
        lock.withLock {
            do throws(NetcoreError) {
                try begin(sink, userData)
                return true
            } catch {
                return false
            }
        }
    }

    /// The same for one that is not wanted: no member starts. Returns those it has; nil if it was started before.
    func beginEnding(as code: NetcoreError.Code) -> [RequestTask]? {
        lock.withLock {
            guard !counts.isDispatched else { return nil }
            counts.isDispatched = true
            verdict = code
            order?.stop()
            return members
        }
    }
}
