package import NetcoreHTTP

internal import NetcoreSupport

extension Client {
    /// Where a request goes as this client sends it, before filters.
    package func url(of request: Request) throws(NetcoreError) -> HTTPURL { try request.built(for: engine).url }

    /// As ``perform(_:until:)`` without a wait: a response that a cache has, or a task to wait for.
    package func begin(_ request: Request) throws(NetcoreError) -> (response: Response?, task: RequestTask?) {
        try perform(request, until: .now)
    }
}

extension RequestTask {
    /// Waits for the end of a task that ``Client/begin(_:)`` made.
    package func end() throws(NetcoreError) -> Response {
        try wait(until: .never) ?? Response(error: NetcoreError(.internal))
    }
}

/// How the request for a page becomes that for another one.
extension Request {
    /// Sets a parameter, in place of those of its name, also of one in the URL.
    package mutating func replaceParameter(_ name: String, _ value: Parameter.Value) throws(NetcoreError) {
        removeParameters(name)
        switch target {
        case .absolute(_, let text):
            let rest = Self.without(name, text)
            if rest != text {
                let url = try HTTPURL(rest)
                change { $0.target = .absolute(url, rest) }
            }
        case .relative(let reference, let service):
            change { $0.target = .relative(Self.without(name, reference), service: service) }
        }
        addParameter(name, value)
    }

    /// A URL without the parameters of a name.
    private static func without(_ name: String, _ url: String) -> String {
        let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return url }
        let (query, fragment) = (parts[1].prefix { $0 != "#" }, parts[1].drop { $0 != "#" })
        let pairs = query.split(separator: "&", omittingEmptySubsequences: false)
        let kept = pairs.filter { pair in
            let bytes = Array(
                (pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).first ?? "").utf8)
            return !PercentEncoding.decode(bytes).elementsEqual(name.utf8)
        }
        guard kept.count < pairs.count else { return url }
        return parts[0] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&")) + fragment
    }

    /// Goes to a URL that an answer named. The URL has the parameters already. To another origin goes nothing that identifies the user, as
    /// after a redirect (RFC 9110 section 15.4).
    ///
    /// - Parameter origin: of the first request.
    /// - Throws: ``NetcoreError/Code/redirectInsecure`` from https to http, unless the request allows it for redirects.
    package mutating func lead(to url: HTTPURL, from origin: HTTPURL) throws(NetcoreError) {
        guard url.isSecure || !origin.isSecure || redirectPolicy.allowsInsecure else {
            throw NetcoreError(.redirectInsecure, "the link to the next page leads from https to http: \(url.display)")
        }
        let query = url.string.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        for pair in FormText.pairs(Array(query.utf8)) {
            dropCommonParameter(String(decoding: PercentEncoding.decode(pair.name), as: UTF8.self))
        }
        change { storage in
            storage.target = .absolute(url, url.string)
            storage.parameters = []
            storage.pathValues = []
            storage.options.baseURL = nil
        }
        guard url.origin != origin.origin else { return }
        for name in RedirectPolicy.credentialFields {
            removeHeader(name)
            try dropCommonHeader(name)
        }
        try setAuthentication(nil)
        change { storage in
            storage.options.cookies = []
            storage.options.dropsCommonParameters = true
        }
    }
}
