/// Which requests a stub answers: a pure rule, and what it says of those that it does not.
package struct StubPattern: Sendable {
    /// What a body has to be.
    package enum Body: Sendable {
        case bytes([UInt8])
        /// Equal as JSON: white space and the order of names do not matter.
        case json(String)
    }

    /// A name, its value as it was written, and what that stands for.
    fileprivate struct Pair: Sendable {
        let name: String
        let text: String
        let value: Wildcard
    }

    package let method: String?
    private let place: String?
    private let placeRule: Wildcard?
    private let isAbsolute: Bool
    fileprivate let query: [Pair]
    fileprivate let headers: [Pair]
    private let body: Body?

    /// - Parameters:
    ///   - method: nil for any.
    ///   - url: an absolute URL, or a path that begins with "/"; both with wildcards (``Wildcard``) and with a query, whose
    ///     parameters must all be there, in any order and among others. Nil for any.
    ///   - headers: fields that must be there, each with a value of that name; with wildcards.
    package init(
        method: String?, url: String?, headers: [(name: String, value: String)] = [], body: Body? = nil
    ) throws(NetcoreError) {
        if let method, !Syntax.isToken(method.utf8) {
            throw NetcoreError(.invalidMethod, argument: "method", "must be a token, such as GET")
        }
        for header in headers where !Syntax.isToken(header.name.utf8) {
            throw NetcoreError(.invalidHeader, argument: "headers", "\"\(header.name)\" is not a field name")
        }
        if case .json(let text) = body, !JSONObject.isValid(text) {
            throw NetcoreError(.invalidArgument, argument: "body", "not valid JSON")
        }
        let parts = url?.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        isAbsolute = url.map { $0.utf8.first != UInt8(ascii: "/") } ?? false
        if isAbsolute, let url, !url.hasPrefix("http://"), !url.hasPrefix("https://"), !url.hasPrefix("*") {
            throw NetcoreError(
                .invalidURL, argument: "url", "must begin with http://, https://, \"/\" or a wildcard")
        }
        self.method = method
        place = parts.map { String($0[0]) }
        placeRule = place.map { Wildcard($0.utf8) }
        query =
            parts.map { $0.count > 1 ? FormText.pairs(Array($0[1].utf8)) : [] }?.map {
                Pair(
                    name: String(decoding: PercentEncoding.decode($0.name), as: UTF8.self),
                    text: String(decoding: $0.value, as: UTF8.self),
                    value: Wildcard($0.value, decode: PercentEncoding.decode))
            } ?? []
        self.headers = headers.map { Pair(name: $0.name, text: $0.value, value: Wildcard($0.value.utf8)) }
        self.body = body
    }

    // MARK: Matching

    /// Why a request is not answered; empty if it is.
    package func differences(from request: StubRequest) -> [StubDifference] {
        var result: [StubDifference] = []
        if let method, method != request.method {
            result.append(StubDifference(.method, "", Array(request.method.utf8), Array(method.utf8)))
        }
        if let place, let placeRule {
            let found = Array((isAbsolute ? request.place : request.path).utf8)
            if !placeRule.matches(found) { result.append(StubDifference(.url, "", found, Array(place.utf8))) }
        }
        for pair in query {
            result += pair.difference(.parameter, request.query.filter { $0.name == pair.name })
        }
        for pair in headers {
            result += pair.difference(
                .header, request.headers.filter { Syntax.equalsIgnoringCase($0.name, pair.name) })
        }
        switch body {
        case .bytes(let expected) where expected != request.body:
            result.append(StubDifference(.body, "", request.body, expected))
        case .json(let expected) where !JSONEquality.areEqual(request.body, Array(expected.utf8)):
            result.append(StubDifference(.json, "", request.body, Array(expected.utf8)))
        default: break
        }
        return result
    }
}

extension StubPattern.Pair {
    /// That none of the values found is the one that is expected.
    fileprivate func difference(
        _ kind: StubDifference.Kind, _ found: [(name: String, value: [UInt8])]
    ) -> [StubDifference] {
        if found.contains(where: { value.matches($0.value) }) { return [] }
        return [StubDifference(kind, name, found.first?.value, Array(text.utf8))]
    }
}

extension StubPattern: CustomStringConvertible {
    /// As messages name it: "GET /users?page=2".
    package var description: String {
        let pairs = query.map { "\($0.name)=\($0.text)" }.joined(separator: "&")
        return "\(method ?? "any method") \(place ?? "any URL")\(pairs.isEmpty ? "" : "?" + pairs)"
    }
}
