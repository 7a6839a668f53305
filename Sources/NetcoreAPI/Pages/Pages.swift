public import Netcore
public import NetcoreHTTP
internal import NetcoreSupport

/// A page of a list.
public struct Page: Sendable {
    public let response: Response
    /// Its number; in styles without numbers pages are counted from ``PageOptions/firstPage`` on.
    public let number: Int
    /// The items as JSON, each as it stands in the body; nil if the page has no list.
    public let items: [String]?
}

/// The pages of a list that a server gives page by page. For any thread.
///
/// A load gives the page after the last one, the first one anew, or the one of a number. What a page is asked by, and whether there is one,
/// is decided by ``PageOptions`` and what the pages say. A link to another origin is followed without what identifies the user.
public final class Pages: @unchecked Sendable {  // `state`, `ahead`, `reader`: under `lock`
    /// Gives the URL of the next page by what a page says, absolute or relative to it; nil if there is none.
    public typealias NextPage = @Sendable (Response) throws -> String?

    let client: Client
    private let request: Request
    private let origin: HTTPURL
    let nextPage: NextPage?
    let lock = Lock()
    private var state: PageState
    var ahead = Ahead()
    var reader = ItemReader()

    /// - Parameters:
    ///   - request: asks for the first page.
    ///   - nextPage: for ``PageStyle/function``.
    public init(
        _ client: Client, _ request: Request, options: PageOptions = PageOptions(), nextPage: NextPage? = nil
    ) throws(NetcoreError) {
        state = try PageState(options)
        origin = try client.url(of: request)
        self.client = client
        self.request = request
        self.nextPage = nextPage
    }

    /// What is known of the list.
    public var info: PageInfo { lock.withLock { state.info } }

    /// The items of the page that was loaded last, as a JSON array; nil if it has no list.
    package var itemsOfPage: String? {
        lock.withLock { reader.all }.map { "[\($0.joined(separator: ","))]" }
    }

    package var options: PageOptions { lock.withLock { state.options } }

    deinit { cancelAhead() }

    // MARK: Loads whose requests somebody else sends

    /// A load that has begun.
    package enum Begun: Sendable {
        /// This request is to be sent.
        case started(UInt64, Request)
        /// The load under way serves this one, too.
        case joined(UInt64)
    }

    package func begin(_ load: PageLoad) throws(NetcoreError) -> Begun {
        let begun = try lock.withLock { () throws(NetcoreError) in try state.begin(load, now: client.wallMilliseconds) }
        switch begun {
        case .joined(let id): return .joined(id)
        case .started(let ticket, _):
            do throws(NetcoreError) {
                return .started(ticket.id, try request(for: ticket))
            } catch {
                drop(ticket.id)
                throw error
            }
        }
    }

    private func request(for ticket: PageState.Ticket) throws(NetcoreError) -> Request {
        var result = request
        let options = options
        var isLink = false
        for step in ticket.steps {
            switch step {
            case .link(let url):
                isLink = true
                try result.lead(to: HTTPURL(url), from: origin)
            case .parameter(let name, let value, let isNumber):
                try result.replaceParameter(name, isNumber ? .json(value) : .string(value))
            }
        }
        if !isLink, let name = options.sizeParameter, options.pageSize > 0 {
            try result.replaceParameter(name, .integer(Int64(options.pageSize)))
        }
        return result
    }

    /// Whether another load has not taken its place.
    package func isPending(_ id: UInt64) -> Bool { lock.withLock { state.isPending(id) } }

    /// A load has ended without an answer.
    package func drop(_ id: UInt64) { lock.withLock { state.drop(id) } }

    /// Takes the answer of a load.
    ///
    /// - Throws: as ``PageState/take(_:_:link:)``.
    package func take(_ id: UInt64, _ response: Response, link: String? = nil) throws(NetcoreError) -> Page {
        try lock.withLock { () throws(NetcoreError) in
            let reading = try state.take(id, response, link: link)
            let items = reading.items.map { $0.map { String(decoding: $0, as: UTF8.self) } }
            reader = ItemReader(items)
            return Page(response: response, number: reading.number, items: items)
        }
    }

    /// What the application's function says of a page.
    func link(of response: Response) throws -> String? {
        guard let nextPage, (200..<300).contains(response.status) else { return nil }
        return try nextPage(response)
    }
}

/// The items of a page that are read one after the other.
struct ItemReader: Sendable {
    /// Nil if the page has no list.
    let all: [String]?
    private let items: [String]
    private var place = 0

    init(_ items: [String]? = nil) {
        all = items
        self.items = items ?? []
    }

    mutating func next() -> String? {
        guard place < items.count else { return nil }
        place += 1
        return items[place - 1]
    }
}
