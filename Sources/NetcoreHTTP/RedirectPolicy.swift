/// What to do with an answer that may be a redirect (RFC 9110 section 15.4): a pure rule.
package struct RedirectPolicy: Sendable {
    package var isFollowing = true
    package var allowsInsecure = false

    package init() {}

    /// How the next hop differs from this one.
    package struct Step {
        package let url: HTTPURL
        package let method: String
        /// The body goes, and the fields that describe it.
        package let dropsBody: Bool
        /// Another origin: what identifies the user must not go there.
        package let dropsCredentials: Bool
    }

    package enum Decision {
        case deliver
        case follow(Step)
        case fail(NetcoreError)
    }

    /// The statuses that are redirects, with a Location.
    package static let statuses: [Int] = [301, 302, 303, 307, 308]

    /// Fields that go with the body (RFC 9110 section 15.4, point 1).
    package static let bodyFields: [String] = [
        "content-encoding", "content-language", "content-location", "content-type", "content-length", "digest",
        "last-modified",
    ]

    /// Fields that identify the user to one origin (RFC 9110 section 15.4, point 1).
    package static let credentialFields: [String] = ["authorization", "cookie", "proxy-authorization"]

    /// Whether an answer is a redirect that leads somewhere. An empty Location leads nowhere.
    package func follows(_ status: Int, location: UnsafeRawBufferPointer?) -> Bool {
        isFollowing && Self.statuses.contains(status) && !(location?.isEmpty ?? true)
    }

    /// - Parameter upgrade: what becomes of the target before anything else looks at it.
    package func decide(
        status: Int, location: UnsafeRawBufferPointer?, method: String, url: HTTPURL, redirects: Int, limit: Int,
        upgrade: (HTTPURL) throws(NetcoreError) -> HTTPURL = { $0 }
    ) -> Decision {
        guard follows(status, location: location), let location else { return .deliver }
        guard redirects < limit else {
            return .fail(NetcoreError(.limitRedirects, "more than \(limit) redirects: \(url.display)", phase: .receive))
        }
        let target: HTTPURL
        do throws(NetcoreError) {
            target = try upgrade(url.resolving(location))
        } catch {
            guard error.code != .outOfMemory else { return .fail(error) }
            return .fail(
                NetcoreError(.redirect, "the redirect of \(url.display) leads to no http URL", phase: .receive))
        }
        guard target.isSecure || !url.isSecure || allowsInsecure else {
            return .fail(
                NetcoreError(
                    .redirectInsecure, "the redirect of \(url.display) leads from https to http", phase: .receive))
        }
        let next = Self.method(after: status, method)
        return .follow(
            Step(
                url: target, method: next, dropsBody: next != method,
                dropsCredentials: target.origin != url.origin))
    }

    /// 303 turns everything but HEAD into GET; 301 and 302 turn POST into GET; 307 and 308 keep the method.
    package static func method(after status: Int, _ method: String) -> String {
        switch status {
        case 303: method == "HEAD" ? "HEAD" : "GET"
        case 301, 302: method == "POST" ? "GET" : method
        default: method
        }
    }
}
