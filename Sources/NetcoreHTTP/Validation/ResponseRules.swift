internal import NetcoreSupport

/// What an answer must be like to be a success, and what is changed of it.
package struct ResponseRules: Sendable {
    /// Nil for any.
    package var statuses: AcceptedStatuses?
    /// Empty for any.
    package var contentTypes: [String] = []
    package var digest: DigestCheck?
    package var shape: JSONShape?
    package var validator: Validator?
    package var dropsNulls = false
    package var errors: ErrorTable?
    /// Who reads the body as it comes looks into it.
    package var judgesHeadOnly = false

    package init() {}

    /// A function of the application's. What it throws rejects the answer.
    package final class Validator: Sendable {
        package let check: @Sendable (Response) throws(NetcoreError) -> Void

        package init(_ check: @escaping @Sendable (Response) throws(NetcoreError) -> Void) { self.check = check }
    }

    /// Whether every answer passes.
    package var acceptAll: Bool {
        statuses == nil && contentTypes.isEmpty && digest == nil && shape == nil && validator == nil && errors == nil
    }

    /// Whether an answer is delivered as it comes.
    package var areEmpty: Bool { acceptAll && !dropsNulls }

    /// Whether two have the same verdict on an answer.
    package func judgeAs(_ other: ResponseRules) -> Bool {
        statuses == other.statuses && contentTypes == other.contentTypes && digest == other.digest
            && shape?.template == other.shape?.template && validator === other.validator && errors == other.errors
            && judgesHeadOnly == other.judgesHeadOnly
    }

    /// Refuses what no answer can have.
    package func check() throws(NetcoreError) {
        for type in contentTypes { try MediaRange.check(type, "acceptedContentTypes") }
        try digest?.check("bodySHA256")
    }

    // MARK: Judging

    /// Why the head of an answer is rejected; nil if it is not.
    package func objection(status: Int, _ fields: FieldBlock?) -> NetcoreError? {
        var error = objectionOfRules(status, fields)
        guard let meaning = errors?.meaning(status: status) else { return error }
        error = error ?? Self.error(status)
        error?.meaning = meaning
        return error
    }

    private static func error(_ status: Int) -> NetcoreError {
        NetcoreError(.rejectedCode, phase: .done, nativeCode: Int32(clamping: status))
    }

    private func objectionOfRules(_ status: Int, _ fields: FieldBlock?) -> NetcoreError? {
        if let statuses, !statuses.contains(status) {
            return NetcoreError(
                .rejectedStatus, "the status code \(status) is not accepted", phase: .done, nativeCode: Int32(status))
        }
        guard !contentTypes.isEmpty else { return nil }
        // What has no body has no type.
        if status == 204 || status == 205 { return nil }
        guard let fields, let index = fields.index(of: "content-type") else {
            return NetcoreError(.rejectedContentType, "the answer has no Content-Type", phase: .done)
        }
        let type = MediaRange.named(fields.value(at: index))
        guard !contentTypes.contains(where: { MediaRange.contains($0, type) }) else { return nil }
        return NetcoreError(.rejectedContentType, "the media type \(type) is not accepted", phase: .done)
    }

    /// Why an answer is rejected, as far as the functions of the application's have no part in it.
    package func objection(to response: Response) -> NetcoreError? {
        if judgesHeadOnly, objection(status: response.status, response.fieldBlock) == nil { return nil }
        var error = objectionOfRules(to: response)
        guard let meaning = errors?.meaning(of: response, isRejected: error != nil) else { return error }
        error = error ?? Self.error(response.status)
        error?.meaning = meaning
        return error
    }

    private func objectionOfRules(to response: Response) -> NetcoreError? {
        if let error = objectionOfRules(response.status, response.fieldBlock) { return error }
        if let error = digest?.objection(to: response) { return error }
        guard let shape, let found = response.withBody({ shape.mismatch($0) }) else { return nil }
        let place = found.pointer.isEmpty ? "the body: \(found.reason)" : found.reason
        return NetcoreError(.rejectedJSON, argument: found.pointer, place, phase: .done)
    }
}

/// What became of an answer under some rules.
package struct Verdict: Sendable {
    package let rules: ResponseRules
    /// Why it is rejected; nil if it is accepted.
    package let error: NetcoreError?

    package init(_ rules: ResponseRules, _ error: NetcoreError?) {
        self.rules = rules
        self.error = error
    }
}

extension Response {
    /// Delivers it without the members of JSON objects that are null. One whose body is not JSON stays as it is.
    package func dropNulls() {
        guard bodyBuffer != nil, let rest = withBody({ JSONNulls.dropped($0) }) else { return }
        bodyBuffer = rest.withUnsafeBytes { ByteBuffer(copying: $0) } ?? bodyBuffer
    }
}
