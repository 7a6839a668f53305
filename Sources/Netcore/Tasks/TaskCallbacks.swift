public import NetcoreHTTP

/// What is called at the end of a task, in any combination: ``success`` or ``failure``, then ``finished``, and for each the delegate
/// after the function.
public struct TaskCallbacks: Sendable {
    public var success: (@Sendable (Response) -> Void)?
    public var failure: (@Sendable (NetcoreError) -> Void)?
    public var finished: (@Sendable (Result<Response, NetcoreError>) -> Void)?
    /// Held weakly: once it is gone, it is not called.
    public weak var delegate: (any TaskDelegate)?
    /// None of them is called for a task that the application canceled: by the task, its id, its tag or its group.
    public var isSilentWhenCanceled: Bool

    public init(
        success: (@Sendable (Response) -> Void)? = nil, failure: (@Sendable (NetcoreError) -> Void)? = nil,
        finished: (@Sendable (Result<Response, NetcoreError>) -> Void)? = nil,
        delegate: (any TaskDelegate)? = nil, isSilentWhenCanceled: Bool = false
    ) {
        self.success = success
        self.failure = failure
        self.finished = finished
        self.delegate = delegate
        self.isSilentWhenCanceled = isSilentWhenCanceled
    }

    func call(_ result: Result<Response, NetcoreError>) {
        switch result {
        case .success(let response):
            success?(response)
            delegate?.taskDidSucceed(response)
        case .failure(let error):
            if isSilentWhenCanceled, error.isCanceledByApplication { return }
            failure?(error)
            delegate?.taskDidFail(error)
        }
        finished?(result)
        delegate?.taskDidFinish(result)
    }
}

/// Is notified of the ends of tasks; see ``TaskCallbacks/delegate``. What it does not implement does nothing.
public protocol TaskDelegate: AnyObject, Sendable {
    func taskDidSucceed(_ response: Response)
    func taskDidFail(_ error: NetcoreError)
    func taskDidFinish(_ result: Result<Response, NetcoreError>)
}

extension TaskDelegate {
    public func taskDidSucceed(_ response: Response) {}
    public func taskDidFail(_ error: NetcoreError) {}
    public func taskDidFinish(_ result: Result<Response, NetcoreError>) {}
}

extension Client {
    /// Dispatches a request. The functions run on the client's callback thread or inside ``process(maximum:)``.
    @discardableResult
    public func dispatch(_ request: Request, callbacks: TaskCallbacks) throws(NetcoreError) -> RequestTask {
        try dispatch(request) { callbacks.call($0) }
    }
}

extension NetcoreError {
    /// Whether the application canceled the task, and not its client, its scope or another task.
    package var isCanceledByApplication: Bool { code == .canceled && (cancelCause ?? .application) == .application }
}
