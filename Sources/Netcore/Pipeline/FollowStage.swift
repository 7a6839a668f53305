internal import NetcoreHTTP
internal import NetcoreTransport

/// Follows redirects: each hop goes down the rest of the list, with what it may carry.
final class FollowStage: Stage {
    private unowned(unsafe) let engine: Engine

    init(engine: Engine) { self.engine = engine }

    func down(_ task: RequestTask) -> Descent {
        // It may have been made before its host asked for https.
        guard let hsts = engine.hsts, let wire = task.call.wire, hsts.upgrades(wire.url) else { return .next }
        do throws(NetcoreError) {
            send(task, method: wire.method, to: try wire.url.upgraded())
            return .next
        } catch {
            return .end(Response(error: error))
        }
    }

    func up(_ task: RequestTask, _ result: Response) -> Ascent {
        guard result.error == nil, result.status >= 300, result.status < 400, !task.isCanceled,
            let request = task.call.request, let wire = task.call.wire
        else { return .next }
        let location = result.fieldBlock.flatMap { fields in
            fields.index(of: "location").map { fields.value(at: $0) }
        }
        let decision = request.redirectPolicy.decide(
            status: result.status, location: location, method: wire.method, url: wire.url,
            redirects: task.call.redirects, limit: engine.limits(for: request).redirects
        ) { [hsts = engine.hsts] url throws(NetcoreError) in hsts?.upgrades(url) ?? false ? try url.upgraded() : url }
        switch decision {
        case .deliver: return .next
        case .fail(let error):
            result.error = error
            return .next
        case .follow(let step):
            task.call.redirects += 1
            if result.attempts > 0 { task.call.attempts -= 1 }  // a hop from the cache was none
            task.call.trimming.dropsBody = task.call.trimming.dropsBody || step.dropsBody
            task.call.trimming.dropsCredentials = task.call.trimming.dropsCredentials || step.dropsCredentials
            send(task, method: step.method, to: step.url)
            return .again
        }
    }

    private func send(_ task: RequestTask, method: String, to url: HTTPURL) {
        guard let request = task.call.request else { return }
        task.call.wire = request.wire(for: engine, method: method, url: url, task.call.trimming)
        guard let cache = engine.cache else { return }
        task.call.cache?.begin(request.makeQuery(for: engine, cache, method: method, url: url, task.call.trimming))
    }

    func abandon(_ task: RequestTask) -> Response { Response() }
}
