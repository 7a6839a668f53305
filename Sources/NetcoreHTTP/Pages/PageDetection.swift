/// Finds out how a server says where the next page is, by what it says on a page: a Link field, a header field with a cursor, a link in the
/// body, a cursor in the body, or numbers. A pure rule.
enum PageDetection {
    private static let links = [
        "/next", "/links/next", "/links/next/href", "/_links/next/href", "/_links/next", "/paging/next",
        "/pagination/next",
        "/meta/next", "/next_url", "/nextUrl", "/next_page_url", "/nextLink", "/@odata.nextLink", "/next_page",
    ]

    /// With the parameters that send them back.
    private static let cursors = [
        ("/next_cursor", "cursor"), ("/nextCursor", "cursor"), ("/cursor/next", "cursor"), ("/cursors/after", "after"),
        ("/paging/cursors/after", "after"), ("/meta/next_cursor", "cursor"), ("/pagination/next_cursor", "cursor"),
        ("/response_metadata/next_cursor", "cursor"), ("/nextPageToken", "pageToken"),
        ("/next_page_token", "page_token"), ("/nextToken", "nextToken"), ("/NextToken", "NextToken"),
        ("/next", "cursor"),
    ]

    private static let pageParameters = ["page", "p", "page_number", "pageNumber"]
    private static let offsetParameters = ["offset", "skip", "start"]
    private static let pageCounts = [
        "/total_pages", "/totalPages", "/pages", "/last_page", "/meta/total_pages", "/page_count",
    ]

    static let cursorHeader = "x-next-cursor"

    /// A link of the body, at a place or at one of the usual ones.
    static func link(_ content: PageContent, _ pointer: String?) -> String? {
        for place in pointer.map({ [$0] }) ?? links {
            guard let found = content.text(at: place), !found.isNumber, pointer != nil || looksLikeLink(found.text)
            else {
                continue
            }
            return content.resolved(found.text)
        }
        return nil
    }

    private static func looksLikeLink(_ text: String) -> Bool {
        ["http://", "https://", "/", "?"].contains { text.hasPrefix($0) }
    }

    /// A cursor of the body, at a place or at one of the usual ones.
    static func cursor(_ content: PageContent, _ options: PageOptions) -> PageStep? {
        let places = options.next.map { [($0, "cursor")] } ?? cursors
        for (place, parameter) in places {
            guard let found = content.text(at: place) else { continue }
            return .parameter(options.parameter ?? parameter, found.text, isNumber: found.isNumber)
        }
        return nil
    }

    struct Found {
        let style: PageStyle
        /// Where that is not the usual one, and the value that the first request has of it.
        var parameter: String?
        var value: Int?
    }

    /// Nil if the page names no next one.
    static func style(_ content: PageContent, _ options: PageOptions) -> Found? {
        if content.linkHeader != nil { return Found(style: .linkHeader) }
        if content.response.headers[options.header ?? cursorHeader]?.isEmpty == false {
            return Found(style: .headerCursor)
        }
        if link(content, options.next) != nil, options.next == nil || isLink(content, options) {
            return Found(style: .bodyLink)
        }
        if cursor(content, options) != nil { return Found(style: .bodyCursor) }
        if let found = parameter(content, pageParameters) {
            return Found(style: .pageNumber, parameter: found.name, value: found.value)
        }
        if let found = parameter(content, offsetParameters) {
            return Found(style: .offset, parameter: found.name, value: found.value)
        }
        let isNumbered =
            content.text(at: "/next_page")?.isNumber == true
            || pageCounts.contains { Int(content.text(at: $0)?.text ?? "") ?? 0 > 1 }
        return isNumbered ? Found(style: .pageNumber) : nil
    }

    /// A parameter of the first request, with its number.
    private static func parameter(_ content: PageContent, _ names: [String]) -> (name: String, value: Int)? {
        let first = content.response.history.first ?? content.response
        let url = first.urlString.prefix { $0 != "#" }
        let query = url.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        for pair in FormText.pairs(Array(query.utf8)) {
            let name = String(decoding: PercentEncoding.decode(pair.name), as: UTF8.self)
            guard names.contains(name), let value = Int(String(decoding: pair.value, as: UTF8.self)), value >= 0 else {
                continue
            }
            return (name, value)
        }
        return nil
    }

    private static func isLink(_ content: PageContent, _ options: PageOptions) -> Bool {
        options.next.flatMap { content.text(at: $0) }.map { looksLikeLink($0.text) } ?? false
    }
}
