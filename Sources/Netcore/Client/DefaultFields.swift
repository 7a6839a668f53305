internal import NetcoreHTTP

/// The fields that a client adds to requests which do not have them, made ready once.
struct DefaultFields: Sendable {
    /// Which of them a request takes.
    struct Choice: OptionSet {
        let rawValue: Int

        static let userAgent = Choice(rawValue: 1)
        static let acceptEncoding = Choice(rawValue: 2)
        static let none: Choice = []
    }

    /// Those that the client has.
    private let available: Choice
    /// By choice: the fields, and their lines in one piece, since libcurl searches its list some twenty times for each
    /// request.
    private let fields: [[Request.Field]]
    private let lines: [[CChar]]

    init(userAgent: String, acceptEncoding: String) {
        let all = [("User-Agent", userAgent), ("Accept-Encoding", acceptEncoding)]
        available = Choice(rawValue: all.enumerated().reduce(0) { $0 | ($1.element.1.isEmpty ? 0 : 1 << $1.offset) })
        let chosen = (0..<4).map { choice in all.enumerated().filter { choice >> $0.offset & 1 == 1 }.map(\.element) }
        fields = chosen.map { $0.map { Request.Field(name: $0.0, value: Array($0.1.utf8)) } }
        lines = chosen.map { Array($0.map { "\($0.0): \($0.1)" }.joined(separator: "\r\n").utf8CString) }
    }

    /// What a hop with these fields of its own takes.
    func choice(besides own: [Request.Field], _ options: RequestOptions) -> Choice {
        var result = available
        if !options.decodesContent { result.remove(.acceptEncoding) }
        for name in options.droppedHeaders {
            if Syntax.equalsIgnoringCase(name, "User-Agent") { result.remove(.userAgent) }
            if Syntax.equalsIgnoringCase(name, "Accept-Encoding") { result.remove(.acceptEncoding) }
        }
        for field in own {
            if Syntax.equalsIgnoringCase(field.name, "User-Agent") { result.remove(.userAgent) }
            if Syntax.equalsIgnoringCase(field.name, "Accept-Encoding") { result.remove(.acceptEncoding) }
        }
        return result
    }

    func fields(_ choice: Choice) -> [Request.Field] { fields[choice.rawValue] }

    /// Lends the header lines, as libcurl takes them.
    func withLines(_ choice: Choice, _ add: (UnsafePointer<CChar>) -> Void) {
        guard choice != .none else { return }
        lines[choice.rawValue].withUnsafeBufferPointer { if let start = $0.baseAddress { add(start) } }
    }
}
