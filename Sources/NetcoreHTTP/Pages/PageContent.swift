/// What an answer has of a list: items, their number in all, links and cursors.
struct PageContent {
    let response: Response
    let json: JSONText?

    init(_ response: Response) {
        self.response = response
        json = response.withBody { JSONText($0) }
    }

    // MARK: Items

    private static let itemNames = [
        "items", "data", "results", "records", "entries", "value", "values", "content", "list", "rows",
    ]

    /// The places of the items in the body; nil if it has no list.
    func items(_ pointer: String?) throws(NetcoreError) -> [Range<Int>]? {
        guard let pointer else { return usualItems() }
        guard let json, let steps = JSONPointer.steps(pointer), let found = json.value(at: steps) else {
            throw NetcoreError(.rejectedJSON, argument: pointer, "the page has no items there")
        }
        if json.isNull(found) { return [] }
        guard json.isArray(found) else {
            throw NetcoreError(.rejectedJSON, argument: pointer, "the items of the page are not an array")
        }
        return json.elements(of: found)
    }

    private func usualItems() -> [Range<Int>]? {
        guard let json else { return nil }
        if json.isArray(json.root) { return json.elements(of: json.root) }
        let members = json.members(of: json.root)
        let arrays = members.filter { json.isArray($0.value) }
        let usual = Self.itemNames.lazy.compactMap { name in arrays.first { $0.name == name } }.first
        return (usual ?? arrays.first).map { json.elements(of: $0.value) }
    }

    // MARK: Total

    private static let totals = [
        "/total", "/total_count", "/totalCount", "/meta/total", "/pagination/total", "/page/totalElements",
        "/totalElements",
    ]
    private static let totalHeaders = ["x-total-count", "x-total"]

    /// The number of all items; nil if the answer does not say it.
    func total(_ pointer: String?) -> Int? {
        for place in pointer.map({ [$0] }) ?? Self.totals {
            if let number = text(at: place).flatMap({ Int($0.text) }), number >= 0 { return number }
        }
        guard pointer == nil else { return nil }
        for name in Self.totalHeaders {
            if let number = response.headers[name].flatMap({ Int($0) }), number >= 0 { return number }
        }
        return nil
    }

    // MARK: What leads to the next page

    /// A string or number of the body; nil for none, null and the empty string.
    func text(at pointer: String) -> (text: String, isNumber: Bool)? {
        guard let json, let steps = JSONPointer.steps(pointer), let found = json.value(at: steps) else { return nil }
        if let text = json.string(found) { return text.isEmpty ? nil : (text, false) }
        return json.number(found).map { ($0, true) }
    }

    /// The target of a link; nil if it is not one of http or https.
    func resolved(_ link: String) -> String? {
        var link = link
        guard let base = response.url else { return (try? HTTPURL(link))?.string }
        return link.withUTF8 { (try? base.resolving(UnsafeRawBufferPointer($0)))?.string }
    }

    /// The target of the Link field with the relation "next".
    var linkHeader: String? {
        response.links.first { $0.hasRelation("next") }.flatMap { resolved($0.url) }
    }
}
