internal import NetcoreHTTP

extension Engine {
    /// Whether anything of the client's may say who sends a hop.
    var hasIdentities: Bool { settings.hasIdentities || !(cookies?.isEmpty ?? true) }

    /// What the client adds to a hop that says who sends it, as of now. For any thread.
    func identity(
        for request: Request, _ url: HTTPURL, _ trimming: Request.Trimming
    ) -> (hop: HopIdentity, tokenNumber: Int?) {
        var result = HopIdentity()
        var number: Int?
        guard !request.isCustom else { return (result, nil) }
        if request.takesToken(trimming), let token = settings.current.tokenSources[url.origin]?.current {
            result.fields.append(Request.Field(name: "Authorization", value: Array("Bearer \(token.text)".utf8)))
            number = token.number
        }
        if request.usesCookies, trimming.dropsCredentials || !request.hasHeader("Cookie"),
            let value = cookies?.header(for: url)
        {
            result.fields.append(Request.Field(name: "Cookie", value: value))
        }
        return (result, number)
    }
}

extension Request {
    /// Whether a hop has no credentials of its own, so that a token of the client's may go with it.
    func takesToken(_ trimming: Trimming) -> Bool {
        trimming.dropsCredentials || authentication == nil && url?.credentials == nil && !hasHeader("Authorization")
    }
}
