/// How a server says where the next page is.
public enum PageStyle: Int32, Sendable, CaseIterable {
    /// The first page that names a next one decides; see ``PageDetection``.
    case detect = 0
    /// A Link field with the relation "next" (RFC 8288).
    case linkHeader = 1
    /// A URL in the body, absolute or relative to that of the page.
    case bodyLink = 2
    /// Pages have numbers, which a parameter asks for.
    case pageNumber = 3
    /// A parameter says how many items come before the page.
    case offset = 4
    /// A text in the body, which a parameter sends back.
    case bodyCursor = 5
    /// The same in a header field.
    case headerCursor = 6
    /// A function of the application's gives the URL of the next page.
    case function = 7
}

/// What a load does while another one is under way.
public enum PageOverlap: Int32, Sendable, CaseIterable {
    /// A load of the same page joins it: one request serves both. Any other takes its place.
    case join = 0
    /// It takes its place: the earlier one ends as canceled.
    case replace = 1
    /// It is refused, with ``NetcoreError/Code/invalidState``.
    case refuse = 2
}

/// How the pages of a list are asked for, and what is found in them. Pointers are those of RFC 6901.
public struct PageOptions: Sendable {
    public var style = PageStyle.detect
    /// The array of items. Nil: the body if that is an array, or its first member that is one, the usual names first.
    public var items: String?
    /// The link or cursor to the next page. Nil: the usual names.
    public var next: String?
    /// The number of all items. Nil: the usual names, and X-Total-Count.
    public var total: String?
    /// The parameter that asks for a page. Nil: "page", "offset" or "cursor", as the style has it.
    public var parameter: String?
    /// The parameter that asks for ``pageSize``; nil for none.
    public var sizeParameter: String?
    /// Items of a page; 0 if that is not known. A page with fewer is the last one, in the styles with numbers and offsets.
    public var pageSize = 0
    /// The number of the first page.
    public var firstPage = 1
    /// The field with the cursor. Nil: X-Next-Cursor.
    public var header: String?
    /// The most items and requests until the list is loaded anew; 0 for no limit.
    public var maximumItems = 0
    public var maximumRequests = 0
    public var overlap = PageOverlap.join
    /// Whether the page after one that was loaded is requested at once, before it is asked for.
    public var prefetches = false

    public init(_ style: PageStyle = .detect) { self.style = style }

    package func check() throws(NetcoreError) {
        for (pointer, name) in [(items, "items"), (next, "next"), (total, "total")] {
            guard let pointer, JSONPointer.steps(pointer) == nil else { continue }
            throw NetcoreError(
                .invalidArgument, argument: name, "not a JSON pointer, which is empty or begins with \"/\"")
        }
        for (name, argument) in [(parameter, "parameter"), (sizeParameter, "size_parameter")]
        where name?.isEmpty == true {
            throw NetcoreError(.invalidArgument, argument: argument, "must not be empty")
        }
        if let header, !Syntax.isToken(header.utf8) {
            throw NetcoreError(.invalidHeader, argument: "header", "a field name must be a token")
        }
        for (number, name) in [
            (pageSize, "page_size"), (firstPage, "first_page"), (maximumItems, "max_items"),
            (maximumRequests, "max_requests"),
        ] where number < 0 || number > Self.largest {
            throw NetcoreError(.invalidArgument, argument: name, "must be from 0 to \(Self.largest)")
        }
    }

    private static let largest = 1 << 40

    /// The parameter that asks for a page.
    func parameter(of style: PageStyle) -> String {
        if let parameter { return parameter }
        switch style {
        case .pageNumber: return "page"
        case .offset: return "offset"
        default: return "cursor"
        }
    }
}

/// How a page is asked for.
package enum PageStep: Sendable, Hashable {
    /// By an absolute URL.
    case link(String)
    /// By a parameter of the first request; `isNumber` for one that is a number in JSON.
    case parameter(String, String, isNumber: Bool)
}
