/// What to load of a list.
public enum PageLoad: Sendable, Hashable {
    /// The page after the last one that was loaded; the first one at the beginning.
    case more
    /// The first page; what was loaded before counts no longer.
    case refresh
    /// The page of a number, in the styles with numbers and offsets.
    case page(Int)
}

/// Where the walk through the pages of a list stands: which page comes next, whether there is one, and what is under way. A pure rule; who
/// uses it sends the requests.
package struct PageState: Sendable {
    /// A load that has begun.
    package struct Ticket: Sendable {
        package let id: UInt64
        package let load: PageLoad
        /// How the page is asked for; empty for the first page of a style without parameters.
        package let steps: [PageStep]
        fileprivate let number: Int
        fileprivate let isFirst: Bool
    }

    package enum Begun: Sendable {
        /// A request is to be sent; the load that it takes the place of is to be canceled.
        case started(Ticket, replaced: UInt64?)
        /// The load under way serves this one, too.
        case joined(UInt64)
    }

    /// A page that was taken.
    package struct Reading: Sendable {
        package let number: Int
        /// The items, as JSON; nil if the page has no list.
        package let items: [[UInt8]]?
    }

    package let options: PageOptions
    /// As found out, or as the options say.
    package private(set) var style: PageStyle
    private var parameter: String?
    private var number = 0
    /// The items before the first page, for a list that begins in the middle.
    private var startOffset = 0
    /// How the page after the last one is asked for.
    private var next: [PageStep]?
    /// What the pages since the first one were asked by.
    private var asked: Set<PageStep> = []
    private var lastItems: [[UInt8]]?
    private var pending: Ticket?
    private var lastID: UInt64 = 0
    private var isLoaded = false
    /// Items on the first page.
    private var firstCount = 0
    package private(set) var info = PageInfo()

    package init(_ options: PageOptions) throws(NetcoreError) {
        try options.check()
        self.options = options
        style = options.style
    }

    // MARK: Beginning

    /// - Parameter now: milliseconds since 1970.
    package mutating func begin(_ load: PageLoad, now: Int64) throws(NetcoreError) -> Begun {
        let load = load == .more && !isLoaded ? .refresh : load
        if let pending {
            switch options.overlap {
            case .refuse: throw NetcoreError(.invalidState, argument: "pages", "a page is being loaded")
            case .join where pending.load == load: return .joined(pending.id)
            case .join, .replace: break
            }
        }
        let (steps, number) = try steps(for: load)
        let replaced = pending?.id
        lastID += 1
        let ticket = Ticket(id: lastID, load: load, steps: steps, number: number, isFirst: load == .refresh)
        pending = ticket
        info.requests = load == .refresh ? 1 : info.requests + 1
        info.lastRequest = now
        info.isLoading = true
        return .started(ticket, replaced: replaced)
    }

    private func steps(for load: PageLoad) throws(NetcoreError) -> ([PageStep], Int) {
        switch load {
        case .refresh: return (steps(number: options.firstPage, isAsked: options.style != .detect), options.firstPage)
        case .page(let number):
            guard style == .pageNumber || style == .offset else {
                throw NetcoreError(.invalidState, argument: "page", "the pages of this list have no numbers")
            }
            guard number >= options.firstPage, number < 1 << 32 else {
                throw NetcoreError(.invalidArgument, argument: "page", "must be at least \(options.firstPage)")
            }
            guard style == .pageNumber || pageSize > 0 || number == options.firstPage else {
                throw NetcoreError(.invalidState, argument: "page", "the size of a page is not known")
            }
            try checkRequests()
            return (steps(number: number, isAsked: true), number)
        case .more:
            guard let next else { throw NetcoreError(.noMoreData, argument: "", Self.atLimit(info)) }
            try checkRequests()
            guard asked.isDisjoint(with: next) else {
                throw NetcoreError(.pageLoop, "the next page is one that was loaded before")
            }
            return (next, number + 1)
        }
    }

    private static func atLimit(_ info: PageInfo) -> String? {
        info.isLimited ? "the limit of items is reached" : nil
    }

    private func checkRequests() throws(NetcoreError) {
        guard options.maximumRequests == 0 || info.requests < options.maximumRequests else {
            throw NetcoreError(.noMoreData, "the limit of \(options.maximumRequests) requests is reached")
        }
    }

    private var pageSize: Int { options.pageSize > 0 ? options.pageSize : firstCount }

    private func steps(number: Int, isAsked: Bool) -> [PageStep] {
        guard isAsked else { return [] }
        let name = parameter ?? options.parameter(of: style)
        switch style {
        case .pageNumber: return [.parameter(name, String(number), isNumber: true)]
        case .offset:
            let offset = startOffset + (number - options.firstPage) * pageSize
            return [.parameter(name, String(offset), isNumber: true)]
        default: return []
        }
    }

    // MARK: Ending

    /// Whether a load has not been replaced.
    package func isPending(_ id: UInt64) -> Bool { pending?.id == id }

    /// A load has ended without an answer.
    package mutating func drop(_ id: UInt64) {
        guard pending?.id == id else { return }
        pending = nil
        info.isLoading = false
    }

    /// Takes the answer of a load.
    ///
    /// - Parameter link: what the application's function gave, for ``PageStyle/function``.
    /// - Throws: ``NetcoreError/Code/noData`` and ``NetcoreError/Code/noMoreData`` for a page without items, ``NetcoreError/Code/pageLoop``
    ///   for one that came before, ``NetcoreError/Code/canceled`` if another load took its place, and what tells that it is no page.
    package mutating func take(_ id: UInt64, _ response: Response, link: String? = nil) throws(NetcoreError) -> Reading
    {
        guard let ticket = pending, ticket.id == id else {
            throw NetcoreError(.canceled, "another load took the place of this one")
        }
        drop(id)
        if let error = response.error { throw error }
        guard (200..<300).contains(response.status) else {
            throw NetcoreError(
                .rejectedStatus, "the page has the status code \(response.status)", phase: .done,
                nativeCode: Int32(response.status))
        }
        let content = PageContent(response)
        let places = response.status == 204 ? [] : try content.items(options.items)
        var items = places.map { places in places.map { Array(content.json?.bytes[$0] ?? []) } }
        if !ticket.isFirst, style == .pageNumber || style == .offset, let items, !items.isEmpty, items == lastItems {
            next = nil
            throw NetcoreError(.pageLoop, "the page is the same as the one before it")
        }
        note(ticket, content, items, link)
        if let all = items, options.maximumItems > 0, info.loaded >= options.maximumItems {
            items = Array(all.dropLast(info.loaded - options.maximumItems))
            info.loaded = options.maximumItems
            info.items = items?.count ?? 0
            info.isLimited = next != nil || all.count > info.items
            next = nil
        }
        info.hasMore = next != nil
        guard let items, items.isEmpty, next == nil else { return Reading(number: number, items: items) }
        throw NetcoreError(ticket.isFirst ? .noData : .noMoreData)
    }

    /// Notes where the walk stands with a page, and what comes after it.
    private mutating func note(_ ticket: Ticket, _ content: PageContent, _ items: [[UInt8]]?, _ link: String?) {
        let count = items?.count ?? 0
        if ticket.isFirst || ticket.load != .more { asked = [] }
        if ticket.isFirst {
            info.loaded = 0
            info.isLimited = false
            firstCount = count
        }
        isLoaded = true
        asked.formUnion(ticket.steps)
        asked.insert(.link(content.response.urlString))
        lastItems = items
        number = ticket.number
        if style == .detect, let found = PageDetection.style(content, options) {
            style = found.style
            parameter = found.parameter
            if found.style == .pageNumber { number = found.value ?? number }
            if found.style == .offset { startOffset = found.value ?? 0 }
        }
        info.loaded += count
        info.items = count
        info.page = number
        info.total = content.total(options.total) ?? (ticket.isFirst ? nil : info.total)
        info.pageSize = pageSize
        info.style = style
        next = step(content, items, link).map { [$0] }
    }

    private func step(_ content: PageContent, _ items: [[UInt8]]?, _ link: String?) -> PageStep? {
        switch style {
        case .detect: return nil
        case .linkHeader: return content.linkHeader.map { .link($0) }
        case .bodyLink: return PageDetection.link(content, options.next).map { .link($0) }
        case .function: return link.flatMap { content.resolved($0) }.map { .link($0) }
        case .bodyCursor: return PageDetection.cursor(content, options)
        case .headerCursor:
            let value = content.response.headers[options.header ?? PageDetection.cursorHeader] ?? ""
            return value.isEmpty ? nil : .parameter(options.parameter(of: style), value, isNumber: false)
        case .pageNumber, .offset: return followsByNumber(content, items) ? numberStep(items?.count ?? 0) : nil
        }
    }

    private func numberStep(_ count: Int) -> PageStep? {
        if style == .pageNumber { return steps(number: number + 1, isAsked: true).first }
        let offset = startOffset + (number - options.firstPage) * pageSize + count
        return .parameter(parameter ?? options.parameter(of: style), String(offset), isNumber: true)
    }

    private func followsByNumber(_ content: PageContent, _ items: [[UInt8]]?) -> Bool {
        guard let items else { return style == .pageNumber && content.response.withBody { !$0.isEmpty } }
        guard !items.isEmpty else { return false }
        if let total = info.total {
            return startOffset + (number - options.firstPage) * pageSize + items.count < total
        }
        return options.pageSize == 0 || items.count >= options.pageSize
    }
}

/// What is known of a list.
public struct PageInfo: Sendable, Hashable {
    /// As found out, or as the options say.
    public package(set) var style = PageStyle.detect
    /// The number of the page that was loaded last; in styles without numbers pages are counted. 0 before the first one.
    public package(set) var page = 0
    /// Items of a whole page: as the options say, or as many as the first page has.
    public package(set) var pageSize = 0
    /// Items on the page that was loaded last.
    public package(set) var items = 0
    /// Items of all pages since the first one was loaded.
    public package(set) var loaded = 0
    /// The number of all items, as the server says it; nil if it does not.
    public package(set) var total: Int?
    /// Whether there is a page after this one, as far as that is known. True before the first one.
    public package(set) var hasMore = true
    /// Whether there is more than the limit of items allows.
    public package(set) var isLimited = false
    public package(set) var isLoading = false
    /// Requests since the first page was loaded, that one included.
    public package(set) var requests = 0
    /// When the last request was made, in milliseconds since 1970; 0 before the first one.
    public package(set) var lastRequest: Int64 = 0

    package init() {}

    /// The number of pages; nil if the number of items is not known.
    public var pageCount: Int? {
        guard let total, pageSize > 0 else { return nil }
        return (total + pageSize - 1) / pageSize
    }
}
