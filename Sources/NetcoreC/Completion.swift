internal import CNetcore
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

/// How the ends of tasks and groups become netcore_completion, and callbacks of C become the engine's.
enum Completion {
    /// The completion of a task; its response has a handle of its own, or 0 when handles ran out.
    static func task(_ task: RequestTask, _ response: Response?) -> netcore_completion {
        var completion = empty(kind(response))
        completion.status = (response.map { $0.error?.code ?? .ok } ?? task.applicationCode ?? .ok).rawValue
        completion.http_status = Int32(clamping: response?.status ?? 0)
        completion.task = task.id
        completion.group = task.group?.id ?? 0
        completion.response = response.map { hasResponse($0) ? HandleTable.shared.insert($0, .response) : 0 } ?? 0
        completion.user_data = UnsafeMutableRawPointer(bitPattern: task.userData)
        return completion
    }

    private static func kind(_ response: Response?) -> Int {
        switch response?.early {
        case nil: NETCORE_COMPLETION_KIND_TASK
        case .provisional: NETCORE_COMPLETION_KIND_PROVISIONAL
        case .interim: NETCORE_COMPLETION_KIND_INTERIM
        case .progress: NETCORE_COMPLETION_KIND_PROGRESS
        case .head: NETCORE_COMPLETION_KIND_HEAD
        case .readable: NETCORE_COMPLETION_KIND_READABLE
        }
    }

    private static func hasResponse(_ response: Response) -> Bool {
        response.early != .progress && response.early != .readable
    }

    static func group(_ group: RequestGroup) -> netcore_completion {
        var completion = empty(NETCORE_COMPLETION_KIND_GROUP)
        completion.status = group.outcome.rawValue
        completion.task = group.decidingTaskID
        completion.group = group.id
        completion.user_data = UnsafeMutableRawPointer(bitPattern: group.userData)
        return completion
    }

    /// How a member of a group ended.
    static func member(_ result: MemberResult, of group: RequestGroup) throws(NetcoreError) -> netcore_completion {
        var completion = empty(NETCORE_COMPLETION_KIND_TASK)
        completion.status = (result.failure ?? .ok).rawValue
        completion.http_status = Int32(clamping: result.response?.status ?? 0)
        completion.task = result.taskID
        completion.group = group.id
        if let response = result.response { completion.response = try Lookup.insert(response, .response) }
        completion.user_data = UnsafeMutableRawPointer(bitPattern: result.userData)
        return completion
    }

    /// A delivery that left the queue: its handle has ended.
    static func taken(_ delivery: Delivery) -> netcore_completion {
        switch delivery {
        case .task(let task, let response):
            defer { task.releaseID() }
            return Completion.task(task, response)
        case .group(let group):
            defer { group.releaseID() }
            return Completion.group(group)
        case .early(let task, let response): return Completion.task(task, response)
        case .application(let task, let signal):
            var completion = Completion.task(task, nil)
            let kind = signal == .start ? NETCORE_COMPLETION_KIND_START : NETCORE_COMPLETION_KIND_STOP
            completion.kind = Int32(kind)
            return completion
        // A mark is never taken.
        case .returned(let task): return Completion.task(task, nil)
        }
    }

    private static func empty(_ kind: Int) -> netcore_completion {
        var completion = netcore_completion()
        completion.size = UInt32(MemoryLayout<netcore_completion>.size)
        completion.kind = Int32(kind)
        return completion
    }

    /// - Parameter request: none for a task of the application's own making.
    static func sink(
        _ done: netcore_done_fn?, _ request: Request?, _ engine: Engine
    ) throws(NetcoreError) -> RequestTask.Sink {
        if done != nil { try checkMode(engine, "done") }
        let onEvent = request?.onEvent
        guard !engine.options.completions.isTaken else { return .none }
        guard let done else { return onEvent.map { .events($0) } ?? .none }
        return .callback { task, response in
            if let response, response.isEarly {
                onEvent?(task, response)
            } else {
                lend(task, response) { done($0) }
            }
        }
    }

    /// A completion of a task, borrowed until a function returns.
    static func lend(_ task: RequestTask, _ response: Response?, _ call: (UnsafePointer<netcore_completion>) -> Void) {
        var completion = Completion.task(task, response)
        call(&completion)
        if completion.response != 0 { HandleTable.shared.release(completion.response, .response) }
    }

    static func sink(_ notify: netcore_done_fn?, _ group: RequestGroup) throws(NetcoreError) -> RequestGroup.Sink {
        guard let notify else { return .none }
        try checkMode(group.engine, "notify")
        return .callback { group in
            var completion = Completion.group(group)
            notify(&completion)
        }
    }

    static func checkMode(_ engine: Engine, _ name: StaticString) throws(NetcoreError) {
        guard !engine.options.completions.isTaken else {
            throw NetcoreError(
                .invalidArgument, argument: "\(name)", "a client in queue mode runs no callbacks; pass null")
        }
    }

    /// The number in which a pointer of the application's travels.
    static func number(_ userData: UnsafeMutableRawPointer?) -> UInt { UInt(bitPattern: userData) }
}
