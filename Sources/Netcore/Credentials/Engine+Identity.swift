internal import NetcoreHTTP

extension Engine {
    /// Whether anything of the client's may say who sends a hop.
    var hasIdentities: Bool { settings.hasIdentities || !(cookies?.isEmpty ?? true) }

    /// Whether a request is for an origin whose token is not there yet: nobody knows by now whose stored answers it may have.
    func awaitsToken(_ request: Request, _ url: HTTPURL) -> Bool {
        guard settings.hasIdentities, !request.isCustom, request.takesToken(Request.Trimming()),
            let source = settings.current.tokenSources[url.origin]
        else { return false }
        return source.current == nil
    }

    /// What the client adds to a hop that says who sends it, as of now. For any thread.
    ///
    /// - Parameter answer: to a challenge; it goes in place of a token.
    func identity(
        for request: Request, _ url: HTTPURL, _ trimming: Request.Trimming, _ answer: Authentication? = nil
    ) -> (hop: HopIdentity, tokenNumber: Int?) {
        var result = HopIdentity()
        result.authentication = answer
        var number: Int?
        guard !request.isCustom else { return (result, nil) }
        if answer == nil, request.takesToken(trimming), let token = settings.current.tokenSources[url.origin]?.current {
            result.fields.append(Request.Field(name: "Authorization", value: Array("Bearer \(token.text)".utf8)))
            number = token.number
        }
        if request.usesCookies, trimming.dropsCredentials || !request.hasHeader("Cookie"),
            let value = cookies?.header(for: url)
        {
            result.fields.append(Request.Field(name: "Cookie", value: value))
            noteCookiesSent()
        }
        return (result, number)
    }

    /// Takes the cookies of an answer from the network. For the I/O thread.
    func receiveCookies(_ task: RequestTask, _ fields: FieldBlock) {
        guard let cookies, let wire = task.call.wire, let request = task.call.request, request.usesCookies,
            !request.isCustom
        else { return }
        cookies.receive(setCookie: fields, from: wire.url)
    }
}

extension Request {
    /// Whether a hop has no credentials of its own, so that a token of the client's may go with it.
    func takesToken(_ trimming: Trimming) -> Bool {
        trimming.dropsCredentials || authentication == nil && url?.credentials == nil && !hasHeader("Authorization")
    }
}
