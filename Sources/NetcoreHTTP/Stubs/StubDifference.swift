internal import NetcoreSupport

/// One thing in which a request differs from what a stub answers.
package struct StubDifference: Sendable {
    package enum Kind: Sendable {
        case method, url, parameter, header, body, json
        /// A parameter that a recorded request does not have.
        case surplus
        /// The stub has answered as often as it may.
        case used
    }

    private let kind: Kind
    private let name: String
    /// Nil if there is none of that name.
    private let found: [UInt8]?
    private let expected: [UInt8]

    package init(_ kind: Kind, _ name: String = "", _ found: [UInt8]? = nil, _ expected: [UInt8] = []) {
        self.kind = kind
        self.name = name
        self.found = found
        self.expected = expected
    }

    /// How far away it makes the stub.
    package var cost: Int {
        switch kind {
        case .used: 1
        case .surplus: 2
        case .parameter, .header: found == nil ? 3 : 2
        case .body, .json: 4
        case .method: 8
        case .url: 16 + Suggestion.distance(Array(expected.prefix(128)), Array((found ?? []).prefix(128)))
        }
    }

    package var text: String {
        switch kind {
        case .used: "it has answered as often as it may"
        case .surplus: "the recorded request has no parameter \"\(name)\""
        case .method: "the method is \(Self.text(found)), not \(Self.text(expected))"
        case .url: "the URL is \(Self.text(found)), not \(Self.text(expected))"
        case .parameter: value("parameter")
        case .header: value("header")
        case .body: "the body is \(Self.quoted(found)), not \(Self.quoted(expected))"
        case .json: "the body is \(Self.quoted(found)), not the JSON \(Self.quoted(expected))"
        }
    }

    private func value(_ kind: String) -> String {
        guard let found else { return "the \(kind) \"\(name)\" is missing" }
        return "the \(kind) \"\(name)\" is \(Self.quoted(found)), not \(Self.quoted(expected))"
    }

    private static func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }

    /// The beginning, for messages.
    private static func quoted(_ bytes: [UInt8]?) -> String {
        guard let bytes, !bytes.isEmpty else { return "empty" }
        return "\"\(text(Array(bytes.prefix(80))))\"\(bytes.count > 80 ? " and more" : "")"
    }
}
