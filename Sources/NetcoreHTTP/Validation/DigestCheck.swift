package import NetcoreSupport

/// What the SHA-256 digest of a body has to be. It is computed of the body as it is delivered, decoded.
public enum DigestCheck: Sendable, Hashable {
    /// What the server says, if it does: `Content-Digest` and, for a 200, `Repr-Digest` (RFC 9530), in the header or the trailer section.
    /// They are digests of the body as it was sent; of one that came with a content coding they are not checked.
    case server
    /// This one, 64 hexadecimal digits, and what the server says.
    case expected(String)

    /// "" for what the server says, or 64 hexadecimal digits.
    package init(text: String) throws(NetcoreError) {
        self = text.isEmpty ? .server : .expected(text)
        try check("sha256")
    }

    /// The other way round.
    package var text: String {
        switch self {
        case .server: ""
        case .expected(let digits): digits
        }
    }

    /// Refuses what is no digest.
    package func check(_ argument: String) throws(NetcoreError) {
        guard case .expected(let digits) = self, Hexadecimal.bytes(digits)?.count != 32 else { return }
        throw NetcoreError(.invalidArgument, argument: argument, "must be 64 hexadecimal digits")
    }

    /// Notes the digest of a body that is whole, and says why it is not the right one; nil if it is.
    package func conclude(_ digest: RunningDigest, _ response: Response) -> NetcoreError? {
        let value = digest.value
        response.bodyDigest = ContiguousArray(Hexadecimal.text(value).utf8CString)
        if case .expected(let digits) = self, Hexadecimal.bytes(digits) != value {
            return NetcoreError(
                .integrity, "the SHA-256 digest of the body is another one than the caller expects", phase: .done)
        }
        // The answer to HEAD has fields of a body that does not come.
        guard digest.count > 0, !(response.fieldBlock?.isCoded ?? false) else { return nil }
        let names: [StaticString] = response.status == 200 ? ["content-digest", "repr-digest"] : ["content-digest"]
        for fields in [response.fieldBlock, response.trailerBlock] {
            for name in names {
                guard let told = fields.flatMap({ ReprDigest.sha256($0, name) }), told != value else { continue }
                return NetcoreError(
                    .integrity, argument: "\(name)",
                    "the SHA-256 digest of the body is another one than the server says",
                    phase: .done)
            }
        }
        return nil
    }

    /// The same for a body in memory.
    func objection(to response: Response) -> NetcoreError? {
        var digest = RunningDigest()
        response.withBody { digest.add($0) }
        return conclude(digest, response)
    }
}

extension Response {
    /// The SHA-256 digest of the body as it is delivered, in hexadecimal; nil if the request has no ``DigestCheck``, and for a body that did
    /// not come whole. Of a streamed one the ending has it.
    public var bodySHA256: String? {
        bodyDigest.map { String(decoding: $0.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) }
    }
}
