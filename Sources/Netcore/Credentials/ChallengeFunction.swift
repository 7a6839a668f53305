public import NetcoreHTTP

extension Client {
    /// A 401 that waits for credentials.
    public struct ChallengeRequest: Sendable {
        /// Of the hop, without user name and password.
        public let url: String
        /// As the server sent them.
        public let challenges: [Challenge]
        /// How often this was asked for the request and this origin before.
        public let failures: Int

        /// The one to answer: of the strongest scheme that both the server and netcore support. Nil if there is none.
        public var strongest: Challenge? { Challenge.strongest(of: challenges) }
    }

    /// Gives credentials for a challenge; nil hands the 401 to the caller.
    public typealias ChallengeFunction = @Sendable (ChallengeRequest) throws -> Authentication?

    /// Sets who answers challenges that requests of this client meet, but custom ones and those with an Authorization field of
    /// their own: a request is sent again with what it gives, also to where the same origin redirects it. Asked at most three times
    /// for each request to an origin. Runs where token functions do (``setTokenSource(_:_:)``); what it throws is what the request
    /// ends with.
    public func onChallenge(_ function: ChallengeFunction?) throws(NetcoreError) {
        try change { $0.challenge = function }
    }
}
