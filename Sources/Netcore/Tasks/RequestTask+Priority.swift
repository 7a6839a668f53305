internal import NetcoreSupport

extension RequestTask {
    /// Its place among the tasks that wait: that of its request, until ``setPriority(_:)`` changes it. Default for an application task.
    public var priority: Priority {
        if let changed = changedPriority { return changed }
        return switch work {
        case .request(let request, _): request.options.priority
        case .download(let run): run.request.priority
        case .application, .group: .default
        }
    }

    /// Gives it another priority. One that waits takes its place among those of the new one, as if it had waited there from the
    /// beginning; what is under way is not changed, but later hops and attempts wait with it. With HTTP/2 the share of the connection
    /// stays as its request asked for. An application task does not wait, and keeps it for whoever asks.
    ///
    /// - Returns: false if it has ended.
    @discardableResult
    public func setPriority(_ priority: Priority) -> Bool {
        guard Fork.count == engine.forkCount, isRegistered, state != .finished else { return false }
        changePriority(priority)
        engine.intake.submit(.priority(self))
        return true
    }
}
