internal import Netcore
public import NetcoreHTTP

/// Requests that were sent, or are being sent. Under the lock of ``Pages``.
struct Ahead: Sendable {
    /// The load under way, for those who join it.
    var load: (id: UInt64, task: Task<Page, any Error>)?
    /// The page after the last one, which was not asked for yet.
    var page: (id: UInt64, task: Task<Response, any Error>)?
    /// The same for calls that block.
    var blocking: (id: UInt64, response: Response?, task: RequestTask?)?
}

extension Pages {
    /// Loads a page. What happens while another load is under way says ``PageOptions/overlap``. Canceling the surrounding task cancels the
    /// request.
    ///
    /// - Throws: ``NetcoreError``, with the codes ``NetcoreError/Code/noMoreData`` where there is no page after the last one,
    ///   ``NetcoreError/Code/noData`` if the list has no items, ``NetcoreError/Code/pageLoop`` where the server leads back,
    ///   ``NetcoreError/Code/canceled`` if another load took its place, ``NetcoreError/Code/rejectedStatus`` for an answer that is no page.
    ///   After an error the same page can be loaded again. `CancellationError` if the surrounding task was canceled.
    @discardableResult
    public func load(_ load: PageLoad = .more) async throws -> Page {
        let task = try start(load)
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Begins a load, or joins one.
    private func start(_ load: PageLoad) throws(NetcoreError) -> Task<Page, any Error> {
        if load != .more { cancelAhead() }
        if let found = takeAhead() {
            return note(found.id, Task { try self.finish(found.id, await found.task.value) })
        }
        switch try begin(load) {
        case .joined(let id):
            let found = lock.withLock { ahead.load?.id == id ? ahead.load?.task : nil }
            guard let found else {
                throw NetcoreError(.inProgress, argument: "pages", "the page is being loaded by other means")
            }
            return found
        case .started(let id, let request):
            cancelEarlier()
            return note(
                id,
                Task {
                    do {
                        return try self.finish(id, await self.client.perform(request))
                    } catch {
                        let isReplaced = !self.isPending(id)
                        self.drop(id)
                        throw isReplaced && error is CancellationError ? Self.replaced : error
                    }
                })
        }
    }

    private static var replaced: NetcoreError { NetcoreError(.canceled, "another load took the place of this one") }

    private func note(_ id: UInt64, _ task: Task<Page, any Error>) -> Task<Page, any Error> {
        lock.withLock { ahead.load = (id, task) }
        return task
    }

    func takeAhead() -> (id: UInt64, task: Task<Response, any Error>)? {
        lock.withLock {
            defer { ahead.page = nil }
            return ahead.page
        }
    }

    /// What was under way before a load that took its place.
    private func cancelEarlier() {
        let load = lock.withLock {
            defer { ahead.load = nil }
            return ahead.load?.task
        }
        load?.cancel()
    }

    private func finish(_ id: UInt64, _ response: Response) throws -> Page {
        let page = try taken(id, response)
        guard options.prefetches, info.hasMore, case .started(let next, let request) = try? begin(.more) else {
            return page
        }
        let task = Task {
            do {
                return try await self.client.perform(request)
            } catch {
                self.drop(next)
                throw error
            }
        }
        lock.withLock { ahead.page = (next, task) }
        return page
    }
}

/// Iterating gives the pages after the last one that was loaded, at the beginning all. A list without items has no pages.
extension Pages: AsyncSequence {
    public typealias Element = Page

    public struct AsyncIterator: AsyncIteratorProtocol {
        let pages: Pages

        public mutating func next() async throws -> Page? { try await pages.loadIfThere() }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pages: self) }

    /// Nil where there is no page.
    fileprivate func loadIfThere() async throws -> Page? {
        do {
            return try await load()
        } catch let error as NetcoreError where error.code == .noMoreData || error.code == .noData {
            return nil
        }
    }
}

/// The items of all pages, as JSON.
public struct PageItems: AsyncSequence, Sendable {
    public typealias Element = String

    let pages: Pages

    public struct AsyncIterator: AsyncIteratorProtocol {
        let pages: Pages
        private var items = ItemReader()

        init(pages: Pages) { self.pages = pages }

        public mutating func next() async throws -> String? {
            while true {
                if let item = items.next() { return item }
                guard let page = try await pages.loadIfThere() else { return nil }
                items = ItemReader(page.items ?? [])
            }
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pages: pages) }
}

extension Pages {
    /// The items of the pages after the last one that was loaded, at the beginning of all.
    public var items: PageItems { PageItems(pages: self) }
}
