internal import NetcoreTransport

/// What a stage does with a task on its way down.
package enum Descent {
    /// On to the next stage.
    case next
    /// The stage keeps it, and resumes the pipeline when it may go on, or ends it.
    case hold
    /// No need to go further down: this is the answer.
    case end(Response)
}

/// What a stage does with an answer on its way up.
package enum Ascent {
    /// On to the stage above.
    case next
    /// Down again, from the stage below this one.
    case again
    /// Down again from the top, as another attempt.
    case anew
    /// The stage keeps the task, and resumes the pipeline from here, or ends it.
    case hold
}

/// One step of a request's way to the wire and back. Confined to the I/O thread.
package protocol Stage: AnyObject {
    func down(_ task: RequestTask) -> Descent

    func up(_ task: RequestTask, _ result: Response) -> Ascent

    /// A task that this stage holds is canceled: forget it. Returns what is known of it. ``up(_:_:)`` is called for the
    /// stages above, not for this one.
    func abandon(_ task: RequestTask) -> Response
}

/// The list of stages, and the way down and up.
package final class Pipeline {
    private let stages: [any Stage]
    private let complete: (RequestTask, Response) -> Void

    package init(_ stages: [any Stage], complete: @escaping (RequestTask, Response) -> Void) {
        self.stages = stages
        self.complete = complete
    }

    /// From the top.
    package func start(_ task: RequestTask) { descend(task, from: 0) }

    /// Lets a task go on that a stage held.
    package func resume(_ task: RequestTask) { descend(task, from: task.call.position + 1) }

    /// The same, as the stage decided by now.
    package func resume(_ task: RequestTask, with descent: Descent) {
        switch descent {
        case .next: resume(task)
        case .hold: return
        case .end(let result): end(task, result)
        }
    }

    /// Takes the answer of a held task up.
    package func end(_ task: RequestTask, _ result: Response) {
        ascend(task, result, from: task.call.position - 1)
    }

    package func abandon(_ task: RequestTask) -> Response { stages[task.call.position].abandon(task) }

    private func descend(_ task: RequestTask, from first: Int) {
        for index in first..<stages.count {
            task.call.position = index
            switch stages[index].down(task) {
            case .next: continue
            case .hold: return
            case .end(let result): return ascend(task, result, from: index - 1)
            }
        }
    }

    private func ascend(_ task: RequestTask, _ result: Response, from last: Int) {
        var index = last
        while index >= 0 {
            switch stages[index].up(task, result) {
            case .next: index -= 1
            case .again: return descend(task, from: index + 1)
            case .anew: return start(task)
            case .hold: return task.call.position = index
            }
        }
        complete(task, result)
    }
}
