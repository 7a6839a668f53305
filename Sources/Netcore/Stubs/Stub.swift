internal import NetcoreHTTP

/// Which requests are answered in place of the network, and by what.
///
/// Header values and URLs may have wildcards: "*" stands for any text without "/", "**" for any text.
public struct Stub: Sendable {
    /// What a body has to be.
    public enum Body: Sendable {
        case bytes([UInt8])
        /// Equal as JSON: white space, the order of names and "1" or "1.0" do not matter.
        case json(String)
    }

    /// Nil for any.
    public var method: String?
    /// An absolute URL, or a path that begins with "/". A query names parameters that must all be there, percent-encoded, in any order
    /// and among others. Nil for any URL.
    public var url: String?
    /// Fields that must be there, among others.
    public var headers: [(name: String, value: String)]
    /// Nil for any.
    public var body: Body?
    /// How often it answers; nil for any number of times. After that the next stub that matches does.
    public var times: Int?
    /// What it answers, one after the other; the last one again and again. Without any: 200 and nothing.
    public var answers: [StubAnswer]
    /// What answers in place of ``answers``: at once or later, by the functions of the hop.
    public var function: Client.TransportFunction?

    public init(
        _ method: String? = nil, _ url: String? = nil, headers: [(name: String, value: String)] = [], body: Body? = nil,
        times: Int? = nil, _ answers: StubAnswer...
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.times = times
        self.answers = answers
    }

    func makePattern() throws(NetcoreError) -> StubPattern {
        if let times, times < 1 {
            throw NetcoreError(.invalidArgument, argument: "times", "must be at least 1")
        }
        for answer in answers { try answer.check() }
        let expected: StubPattern.Body? =
            switch body {
            case .bytes(let bytes): .bytes(bytes)
            case .json(let text): .json(text)
            case nil: nil
            }
        return try StubPattern(method: method, url: url, headers: headers, body: expected)
    }
}
