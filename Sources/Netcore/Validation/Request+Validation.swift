public import NetcoreHTTP

extension BuiltRequest {
    /// What its answer must be like. Who reads a streamed body as it comes looks into it; of its digest the stream takes care.
    var rules: ResponseRules {
        guard options.isStreamed else { return options.rules }
        var rules = ResponseRules()
        rules.statuses = options.rules.statuses
        rules.contentTypes = options.rules.contentTypes
        rules.errors = options.rules.errors
        rules.judgesHeadOnly = true
        return rules
    }
}

extension Request {
    /// Judges an answer: throws to reject it. A ``NetcoreError`` with a status of the application's own is the task's error; any other
    /// becomes ``NetcoreError/Code/rejected``, whose message has it.
    public typealias Validator = @Sendable (Response) throws -> Void

    /// The status codes that are a success; nil, the default, for all. Another one is the error
    /// ``NetcoreError/Code/rejectedStatus``.
    ///
    /// An answer is judged before it is stored in a cache, and so is one that a cache serves. Retries, redirects and challenges see its
    /// status as it came. The error of the task has the answer: ``Response/status``, fields and body. A streamed response is judged by
    /// its head only, a download and an event source have rules of their own.
    public var acceptedStatuses: AcceptedStatuses? {
        get { options.rules.statuses }
        set { set(.acceptedStatuses) { $0.rules.statuses = newValue } }
    }

    /// The media types that are a success, such as "application/json", "text/*" or "application/*+json"; empty, the default, for any.
    /// Another one, or none, is the error ``NetcoreError/Code/rejectedContentType``, except of a 204 or 205. What is not a media type is
    /// an error of the dispatch.
    public var acceptedContentTypes: [String] {
        get { options.rules.contentTypes }
        set { set(.acceptedContentTypes) { $0.rules.contentTypes = newValue } }
    }

    /// What the SHA-256 digest of the body must be; nil, the default, computes none. Another one is the error
    /// ``NetcoreError/Code/integrity``. ``Response/bodySHA256`` tells it. Of a streamed response it is computed as the body comes, and the
    /// error follows the last byte. A download takes it where its options name no digest.
    public var bodySHA256: DigestCheck? {
        get { options.rules.digest }
        set { set(.bodySHA256) { $0.rules.digest = newValue } }
    }

    /// What the JSON of the body must look like; nil, the default, for any body. Another one is the error
    /// ``NetcoreError/Code/rejectedJSON``, whose ``NetcoreError/argument`` is the first place that does not match, as a JSON pointer.
    public var jsonShape: JSONShape? {
        get { options.rules.shape }
        set { set(.jsonShape) { $0.rules.shape = newValue } }
    }

    /// Sets a function that judges answers which pass the other rules; nil, the default, for none. It runs on a thread of the client's, one
    /// at a time, and may use the client, but not wait for a request that has such a function itself. What it takes counts to the total
    /// timeout.
    public mutating func setValidator(_ validator: Validator?) {
        setValidator(
            validator.map { judge in
                ResponseRules.Validator { (response) throws(NetcoreError) in
                    do {
                        try judge(response)
                    } catch let error as NetcoreError
                        where NetcoreError.Code.ofApplication.contains(error.code.rawValue)
                    {
                        throw NetcoreError(error.code, error.message, phase: .done, nativeCode: error.nativeCode)
                    } catch let error as NetcoreError {
                        throw NetcoreError(.rejected, error.message, phase: .done, nativeCode: error.code.rawValue)
                    } catch {
                        throw NetcoreError(.rejected, "the answer was rejected: \(error)", phase: .done)
                    }
                }
            })
    }

    package mutating func setValidator(_ validator: ResponseRules.Validator?) {
        set(.validator) { $0.rules.validator = validator }
    }

    /// Which answers are errors of the application's, and what they say to people; nil, the default, for none. Such an answer ends its task
    /// with ``NetcoreError/Code/rejectedCode``, or with the error that it is anyway; ``NetcoreError/applicationCode`` and
    /// ``NetcoreError/userMessage`` are those of the table. A streamed response is judged by its status code only.
    public var errorTable: ErrorTable? {
        get { options.rules.errors }
        set { set(.errorTable) { $0.rules.errors = newValue } }
    }

    /// Whether members of JSON objects that are null are taken out of the body, at any depth; off by default. A body that is not JSON stays
    /// as it is, and so does what a cache stores.
    public var dropsNulls: Bool {
        get { options.rules.dropsNulls }
        set { set(.dropsNulls) { $0.rules.dropsNulls = newValue } }
    }

    /// For what judges its answers by itself: takes no rules, not even the client's.
    mutating func clearRules() {
        acceptedStatuses = nil
        acceptedContentTypes = []
        bodySHA256 = nil
        jsonShape = nil
        setValidator(nil as ResponseRules.Validator?)
        dropsNulls = false
        errorTable = nil
    }
}
