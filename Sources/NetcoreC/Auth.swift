public import CNetcore
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

@_cdecl("netcore_request_set_auth") @implementation
public func netcore_request_set_auth(
    _ request: netcore_request, _ auth: netcore_auth, _ user: UnsafePointer<CChar>!, _ password: UnsafePointer<CChar>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        try request.setAuthentication(authentication(auth, user, password), tokenName: "password")
    }
}

private func authentication(
    _ auth: netcore_auth, _ user: UnsafePointer<CChar>?, _ password: UnsafePointer<CChar>?
) throws(NetcoreError) -> Authentication? {
    switch Int(auth) {
    case Int(NETCORE_AUTH_NONE): nil
    case Int(NETCORE_AUTH_BASIC):
        .basic(user: try Argument.text(user, "user"), password: try Argument.text(password, "password"))
    case Int(NETCORE_AUTH_BEARER): .bearer(try Argument.text(password, "password"))
    case Int(NETCORE_AUTH_DIGEST):
        .digest(user: try Argument.text(user, "user"), password: try Argument.text(password, "password"))
    case Int(NETCORE_AUTH_NEGOTIATE): .negotiate
    default: throw NetcoreError(.invalidArgument, argument: "auth", "not a netcore_auth value")
    }
}

// MARK: Tokens

private struct TokenFunction: @unchecked Sendable {  // a function pointer, and a pointer that is handed back
    let call: netcore_token_fn
    let registration: Registration
    /// Large enough for almost any, so that one call does: a second one might cost a second token.
    private static let capacity = 65_536
    private static let notUTF8 = NetcoreError(.refused, argument: "token", "must be UTF-8")

    func token(_ refused: String?) throws(NetcoreError) -> String? {
        try ApplicationText.read("the token function", capacity: Self.capacity, notUTF8: Self.notUTF8) {
            room, capacity in
            guard let refused else { return call(nil, room, capacity, registration.userData) }
            return refused.withCString { call($0, room, capacity, registration.userData) }
        }
    }
}

@_cdecl("netcore_client_set_token_source") @implementation
public func netcore_client_set_token_source(
    _ client: netcore_client, _ origin: UnsafePointer<CChar>!, _ fn: netcore_token_fn!,
    _ user_data: UnsafeMutableRawPointer!, _ release: netcore_release_fn!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        let origin = try Argument.text(origin, "origin")
        guard let fn else { return try client.setTokenSource(origin, nil) }
        try registering(user_data, release) { (registration) throws(NetcoreError) in
            let function = TokenFunction(call: fn, registration: registration)
            try client.setTokenSource(origin) { refused in try function.token(refused) }
        }
    }
}

// MARK: Challenges

private struct ChallengeFunction: @unchecked Sendable {  // a function pointer, and a pointer that is handed back
    let call: netcore_challenge_fn
    let registration: Registration

    private static func auth(_ scheme: Challenge.Scheme?) -> Int {
        switch scheme {
        case nil: NETCORE_AUTH_NONE
        case .negotiate: NETCORE_AUTH_NEGOTIATE
        case .digest: NETCORE_AUTH_DIGEST
        case .bearer: NETCORE_AUTH_BEARER
        case .basic: NETCORE_AUTH_BASIC
        }
    }

    func answer(_ asked: Client.ChallengeRequest) throws(NetcoreError) -> Authentication? {
        let strongest = asked.strongest
        let realm = (strongest ?? asked.challenges.first)?.realm ?? ""
        let answer = try RequestBox.lend(Request("GET", asked.url), to: "who answers challenges") { handle in
            asked.url.withCString { url in
                realm.withCString { realm in
                    var challenge = netcore_challenge()
                    challenge.size = UInt32(MemoryLayout<netcore_challenge>.size)
                    challenge.failures = UInt32(clamping: asked.failures)
                    challenge.url = url
                    challenge.auth = netcore_auth(Self.auth(strongest?.knownScheme))
                    challenge.realm = realm
                    return call(&challenge, handle, registration.userData)
                }
            }
        }
        return answer.authentication
    }
}

@_cdecl("netcore_client_set_challenge_function") @implementation
public func netcore_client_set_challenge_function(
    _ client: netcore_client, _ fn: netcore_challenge_fn!, _ user_data: UnsafeMutableRawPointer!,
    _ release: netcore_release_fn!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        guard let fn else { return try client.onChallenge(nil) }
        try registering(user_data, release) { (registration) throws(NetcoreError) in
            let function = ChallengeFunction(call: fn, registration: registration)
            try client.onChallenge { challenge in try function.answer(challenge) }
        }
    }
}
