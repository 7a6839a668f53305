public import CNetcore
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

@_cdecl("netcore_request_set_auth") @implementation
public func netcore_request_set_auth(
    _ request: netcore_request, _ auth: netcore_auth, _ user: UnsafePointer<CChar>!, _ password: UnsafePointer<CChar>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        try request.setAuthentication(try authentication(auth, user, password))
    }
}

private func authentication(
    _ auth: netcore_auth, _ user: UnsafePointer<CChar>?, _ password: UnsafePointer<CChar>?
) throws(NetcoreError) -> Authentication? {
    switch Int(auth) {
    case Int(NETCORE_AUTH_NONE): nil
    case Int(NETCORE_AUTH_BASIC):
        .basic(user: try Argument.text(user, "user"), password: try Argument.text(password, "password"))
    case Int(NETCORE_AUTH_BEARER): .bearer(try token(password))
    case Int(NETCORE_AUTH_DIGEST):
        .digest(user: try Argument.text(user, "user"), password: try Argument.text(password, "password"))
    case Int(NETCORE_AUTH_NEGOTIATE): .negotiate
    default: throw NetcoreError(.invalidArgument, "auth: it is none of netcore_auth")
    }
}

private func token(_ password: UnsafePointer<CChar>?) throws(NetcoreError) -> String {
    let token = try Argument.text(password, "password")
    try Authentication.check(token: token, "password")
    return token
}

// MARK: Tokens

private struct TokenFunction: @unchecked Sendable {  // a function pointer, and a pointer that is handed back
    let call: netcore_token_fn
    let userData: UserData
    /// Large enough for any, so that one call does: a second one might cost a second token.
    private static let capacity = 65_536

    init(call: netcore_token_fn, userData: UserData) {
        self.call = call
        self.userData = userData
    }

    func token(_ refused: String?) throws(NetcoreError) -> String? {
        let room = UnsafeMutablePointer<CChar>.allocate(capacity: Self.capacity)
        defer { room.deallocate() }
        let length = withOptionalCString(refused) { call($0, room, Self.capacity, userData.pointer) }
        guard length >= -1 else { throw NetcoreError(hostStatus: length, "the token function refused with \(length)") }
        guard length >= 0, length < Self.capacity else { return nil }
        let bytes = UnsafeRawBufferPointer(start: room, count: Int(length))
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw NetcoreError(.refused, "token: it is not UTF-8")
        }
        return text
    }

    private func withOptionalCString(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Int32) -> Int32 {
        guard let text else { return body(nil) }
        return text.withCString(body)
    }
}

@_cdecl("netcore_client_set_token_source") @implementation
public func netcore_client_set_token_source(
    _ client: netcore_client, _ origin: UnsafePointer<CChar>!, _ fn: netcore_token_fn!,
    _ user_data: UnsafeMutableRawPointer!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        let origin = try Argument.text(origin, "origin")
        guard let fn else { return try client.setTokenSource(origin, nil) }
        let function = TokenFunction(call: fn, userData: UserData(pointer: user_data))
        try client.setTokenSource(origin) { refused in try function.token(refused) }
    }
}

// MARK: Challenges

private struct ChallengeFunction: @unchecked Sendable {  // a function pointer, and a pointer that is handed back
    let call: netcore_challenge_fn
    let userData: UserData

    /// From the strongest on.
    private static let schemes = [
        ("negotiate", NETCORE_AUTH_NEGOTIATE), ("digest", NETCORE_AUTH_DIGEST), ("bearer", NETCORE_AUTH_BEARER),
        ("basic", NETCORE_AUTH_BASIC),
    ]

    private static func strongest(_ challenges: [Challenge]) -> (auth: Int, realm: String) {
        for (name, auth) in schemes {
            if let found = challenges.first(where: { Syntax.equalsIgnoringCase($0.scheme, name) }) {
                return (auth, found.realm ?? "")
            }
        }
        return (NETCORE_AUTH_NONE, challenges.first?.realm ?? "")
    }

    func answer(_ asked: Client.ChallengeRequest) throws(NetcoreError) -> Authentication? {
        let (auth, realm) = Self.strongest(asked.challenges)
        let answer = try RequestBox.lend(Request("GET", asked.url), to: "who answers challenges") { handle in
            asked.url.withCString { url in
                realm.withCString { realm in
                    var challenge = netcore_challenge()
                    challenge.size = UInt32(MemoryLayout<netcore_challenge>.size)
                    challenge.failures = UInt32(clamping: asked.failures)
                    challenge.url = url
                    challenge.auth = netcore_auth(auth)
                    challenge.realm = realm
                    return call(&challenge, handle, userData.pointer)
                }
            }
        }
        return answer.authentication
    }
}

@_cdecl("netcore_client_set_challenge_function") @implementation
public func netcore_client_set_challenge_function(
    _ client: netcore_client, _ fn: netcore_challenge_fn!, _ user_data: UnsafeMutableRawPointer!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        guard let fn else { return try client.onChallenge(nil) }
        let function = ChallengeFunction(call: fn, userData: UserData(pointer: user_data))
        try client.onChallenge { challenge in try function.answer(challenge) }
    }
}
