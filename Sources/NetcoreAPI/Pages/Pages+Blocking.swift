internal import Netcore
public import NetcoreHTTP

extension Pages {
    /// Loads a page and waits for it on this thread. Inside a callback it holds the callbacks up.
    ///
    /// - Throws: as ``load(_:)``, and ``NetcoreError/Code/inProgress`` where another thread loads the same page.
    @discardableResult
    public func loadBlocking(_ load: PageLoad = .more) throws(NetcoreError) -> Page {
        let (id, response) = try performed(load)
        let page = try taken(id, response)
        guard options.prefetches, info.hasMore, case .started(let next, let request) = try? begin(.more) else {
            return page
        }
        do throws(NetcoreError) {
            let begun = try client.begin(request)
            lock.withLock { ahead.blocking = (next, begun.response, begun.task) }
        } catch {
            drop(next)
        }
        return page
    }

    private func performed(_ load: PageLoad) throws(NetcoreError) -> (UInt64, Response) {
        if load != .more { cancelAhead() }
        if let found = takeBlocking() {
            return (
                found.id,
                try dropping(found.id) { () throws(NetcoreError) in
                    if let response = found.response { return response }
                    return try found.task?.end() ?? Response(error: NetcoreError(.internal))
                }
            )
        }
        guard case .started(let id, let request) = try begin(load) else {
            throw NetcoreError(.inProgress, argument: "pages", "the page is being loaded")
        }
        return (id, try dropping(id) { () throws(NetcoreError) in try client.performBlocking(request) })
    }

    /// A load ends with what fails.
    private func dropping<Result>(
        _ id: UInt64, _ body: () throws(NetcoreError) -> Result
    ) throws(NetcoreError) -> Result {
        do throws(NetcoreError) {
            return try body()
        } catch {
            drop(id)
            throw error
        }
    }

    private func takeBlocking() -> (id: UInt64, response: Response?, task: RequestTask?)? {
        lock.withLock {
            defer { ahead.blocking = nil }
            return ahead.blocking
        }
    }

    /// Takes the answer of a load, after the function for the next page.
    ///
    /// - Parameter link: in place of what that gives.
    package func taken(_ id: UInt64, _ response: Response, link: String? = nil) throws(NetcoreError) -> Page {
        let link = try dropping(id) { () throws(NetcoreError) in
            do {
                return try link ?? self.link(of: response)
            } catch {
                throw error as? NetcoreError ?? NetcoreError(.refused, "the function for the next page threw \(error)")
            }
        }
        return try take(id, response, link: link)
    }

    /// Ends what was requested before anybody asked for it.
    package func cancelAhead() {
        let blocking = takeBlocking()
        let page = takeAhead()
        if let blocking {
            drop(blocking.id)
            blocking.task?.cancel()
            // Its end releases its id.
            _ = try? blocking.task?.end()
        }
        if let page {
            drop(page.id)
            page.task.cancel()
        }
    }

    /// The next item, as JSON; loads pages as they are needed, and waits for them on this thread. Begins with the items of the page that was
    /// loaded last.
    ///
    /// - Throws: as ``loadBlocking(_:)``; ``NetcoreError/Code/noMoreData`` after the last item.
    public func nextItemBlocking() throws(NetcoreError) -> String {
        while true {
            if let item = lock.withLock({ reader.next() }) { return item }
            try loadBlocking()
        }
    }
}
