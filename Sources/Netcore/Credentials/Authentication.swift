public import NetcoreHTTP
internal import NetcoreTransport

/// How a request says who sends it (RFC 9110 section 11). It goes only to the origin of the request's URL.
public enum Authentication: Sendable, Hashable {
    /// RFC 7617
    case basic(user: String, password: String)
    /// RFC 6750
    case bearer(String)
    /// RFC 7616
    case digest(user: String, password: String)
    /// RFC 4559, with the Kerberos ticket of the process's user. Each request has a connection of its own.
    case negotiate

    /// - Parameter tokenName: as messages name the token.
    func check(tokenName: String) throws(NetcoreError) {
        switch self {
        case .basic(let user, let password):
            guard !user.utf8.contains(UInt8(ascii: ":")) else {
                throw NetcoreError(
                    .invalidArgument, argument: "user", "must not contain a colon, which Basic cannot send")
            }
            try Self.check(user, password)
        case .digest(let user, let password): try Self.check(user, password)
        case .bearer(let token): try Self.check(token: token, tokenName)
        case .negotiate: break
        }
    }

    static func check(token: String, _ label: String = "token") throws(NetcoreError) {
        guard !token.isEmpty, !token.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) else {
            throw NetcoreError(
                .invalidArgument, argument: label, "a token must be non-empty printable ASCII without spaces")
        }
    }

    private static func check(_ user: String, _ password: String) throws(NetcoreError) {
        for (text, name) in [(user, "user"), (password, "password")] where !Syntax.isFieldValue(text.utf8) {
            throw NetcoreError(.invalidArgument, argument: name, "must not contain control characters")
        }
    }

    /// What libcurl sends; nil where a field does it.
    var wireCredentials: WireCredentials? {
        switch self {
        case .basic(let user, let password): .basic(user: user, password: password)
        case .digest(let user, let password): .digest(user: user, password: password)
        case .negotiate: .negotiate
        case .bearer: nil
        }
    }

    var field: Request.Field? {
        guard case .bearer(let token) = self else { return nil }
        return Request.Field(name: "Authorization", value: Array("Bearer \(token)".utf8))
    }
}

extension Request {
    /// Nil for none but what the URL and the Authorization field say; that field wins over all.
    public var authentication: Authentication? { options.authentication }

    public mutating func setAuthentication(_ authentication: Authentication?) throws(NetcoreError) {
        try setAuthentication(authentication, tokenName: "token")
    }

    package mutating func setAuthentication(
        _ authentication: Authentication?, tokenName: String
    ) throws(NetcoreError) {
        try authentication?.check(tokenName: tokenName)
        set(.authentication) { $0.authentication = authentication }
    }
}
