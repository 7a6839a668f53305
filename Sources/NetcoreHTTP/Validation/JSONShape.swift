internal import CJansson

/// What a JSON value has to look like, by a template that is JSON itself:
/// `{"id": "integer", "tags": ["string"], "next": "string?", "owner?": {"name": "string"}}`.
///
/// A text names the types that a value may have: "string", "number", "integer", "boolean", "object", "array", "null" and "any",
/// several of them with "|" in between. With "?" at its end the value may also be null, and a member missing. An object has the
/// members of the template, and any others; a name with "?" at its end is that of a member that may be missing or null. An array of
/// one element is one whose elements all look like that; an empty one is any array.
public struct JSONShape: Sendable {
    /// As it was given.
    public let template: String
    private let node: JSONShapeNode

    /// - Throws: ``NetcoreError/Code/invalidArgument`` for what is not such a template; the message has the place.
    public init(_ template: String) throws(NetcoreError) {
        guard let body = JSONBody(template) else {
            throw NetcoreError(.invalidArgument, argument: "shape", "not valid JSON")
        }
        self.template = template
        node = try withExtendedLifetime(body) { () throws(NetcoreError) in try JSONShapeNode(body.value, "") }
    }

    /// Whether what looks like this may be missing.
    package var isOptional: Bool { node.isOptional }

    /// Whether a text does.
    package var takesText: Bool { mismatch("\"\"") == nil }

    /// The first mismatch of a JSON value.
    package func mismatch(_ text: String) -> Mismatch? {
        var text = text
        return text.withUTF8 { mismatch(UnsafeRawBufferPointer($0)) }
    }

    /// A place in a body that does not look like this, as a JSON pointer (RFC 6901), and what is wrong there.
    package struct Mismatch: Equatable {
        package let pointer: String
        package let reason: String
    }

    /// The first mismatch of a body, in the order of the template; nil if there is none.
    package func mismatch(_ bytes: UnsafeRawBufferPointer) -> Mismatch? {
        guard let body = JSONBody(bytes) else { return Mismatch(pointer: "", reason: "not valid JSON") }
        return withExtendedLifetime(body) { node.mismatch(body.value, "") }
    }
}

/// One value of a template.
private indirect enum JSONShapeNode: Sendable {
    case types(JSONTypes)
    case object([Member])
    case array(JSONShapeNode?)

    struct Member: Sendable {
        let name: String
        let node: JSONShapeNode
        let isOptional: Bool
    }

    init(_ value: JSONValue, _ pointer: String) throws(NetcoreError) {
        switch value.pointee.type {
        case JSON_STRING:
            guard let types = JSONTypes(value.string ?? "") else { throw Self.refused(pointer, "names no type") }
            self = .types(types)
        case JSON_OBJECT:
            var members: [Member] = []
            for (name, value) in value.members {
                let isOptional = name.utf8.last == UInt8(ascii: "?")
                let own = isOptional ? String(name.dropLast()) : name
                let node = try JSONShapeNode(value, "\(pointer)/\(JSONPointer.escaped(own))")
                members.append(Member(name: own, node: node, isOptional: isOptional || node.isOptional))
            }
            self = .object(members)
        case JSON_ARRAY:
            let elements = value.elements
            guard elements.count < 2 else { throw Self.refused(pointer, "an array has at most one element") }
            self = .array(
                try elements.first.map { (element) throws(NetcoreError) in try Self(element, "\(pointer)/0") })
        default: throw Self.refused(pointer, "must be a text, an object or an array")
        }
    }

    private static func refused(_ pointer: String, _ reason: String) -> NetcoreError {
        NetcoreError(.invalidArgument, argument: "shape", "\(pointer.isEmpty ? "the template" : pointer): \(reason)")
    }

    var isOptional: Bool {
        if case .types(let types) = self { types.contains(.missing) } else { false }
    }

    func mismatch(_ value: JSONValue, _ pointer: String) -> JSONShape.Mismatch? {
        let found = JSONTypes(value)
        switch self {
        case .types(let types):
            return types.isDisjoint(with: found) ? Self.mismatch(pointer, "\(types.names) expected", found) : nil
        case .object(let members):
            guard found == .object else { return Self.mismatch(pointer, "object expected", found) }
            return Self.mismatch(value, members, pointer)
        case .array(let node):
            guard found == .array else { return Self.mismatch(pointer, "array expected", found) }
            guard let node else { return nil }
            for (index, element) in value.elements.enumerated() {
                if let found = node.mismatch(element, "\(pointer)/\(index)") { return found }
            }
            return nil
        }
    }

    private static func mismatch(_ value: JSONValue, _ members: [Member], _ pointer: String) -> JSONShape.Mismatch? {
        for member in members {
            let place = "\(pointer)/\(JSONPointer.escaped(member.name))"
            guard let one = value.member(member.name) else {
                if member.isOptional { continue }
                return JSONShape.Mismatch(pointer: place, reason: "missing")
            }
            if member.isOptional, one.isNull { continue }
            if let found = member.node.mismatch(one, place) { return found }
        }
        return nil
    }

    private static func mismatch(_ pointer: String, _ wanted: String, _ found: JSONTypes) -> JSONShape.Mismatch {
        JSONShape.Mismatch(pointer: pointer, reason: "\(wanted), \(found.names) found")
    }
}

/// Types of JSON values.
private struct JSONTypes: OptionSet, Sendable {
    let rawValue: Int

    static let string = JSONTypes(rawValue: 1)
    static let integer = JSONTypes(rawValue: 2)
    static let fraction = JSONTypes(rawValue: 4)
    static let boolean = JSONTypes(rawValue: 8)
    static let object = JSONTypes(rawValue: 16)
    static let array = JSONTypes(rawValue: 32)
    static let null = JSONTypes(rawValue: 64)
    static let missing = JSONTypes(rawValue: 128)
    static let number: JSONTypes = [.integer, .fraction]
    static let any: JSONTypes = [.string, .number, .boolean, .object, .array, .null]

    private static let table: [(name: String, types: JSONTypes)] = [
        ("any", .any), ("string", .string), ("number", .number), ("integer", .integer), ("boolean", .boolean),
        ("object", .object), ("array", .array), ("null", .null),
    ]

    init(rawValue: Int) { self.rawValue = rawValue }

    /// Those that a text of a template names; nil if it names none.
    init?(_ text: String) {
        var text = text.utf8[...]
        var types: JSONTypes = []
        if text.last == UInt8(ascii: "?") {
            text.removeLast()
            types = [.null, .missing]
        }
        for name in text.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false) {
            guard let row = Self.table.first(where: { $0.name.utf8.elementsEqual(name) }) else { return nil }
            types.formUnion(row.types)
        }
        self = types
    }

    /// That of a value.
    init(_ value: JSONValue) {
        switch value.pointee.type {
        case JSON_OBJECT: self = .object
        case JSON_ARRAY: self = .array
        case JSON_STRING: self = .string
        case JSON_INTEGER: self = .integer
        // 1.0 and 1e3 are integers too (JSON Schema, section 4.2.3 of its core).
        case JSON_REAL: self = json_real_value(value).rounded() == json_real_value(value) ? .integer : .fraction
        case JSON_NULL: self = .null
        default: self = .boolean
        }
    }

    /// For a message.
    var names: String {
        if self == .fraction { return "number" }
        var rest = self.subtracting(.missing)
        var names: [String] = []
        for row in Self.table where row.types.isSubset(of: rest) {
            names.append(row.name)
            rest.subtract(row.types)
        }
        return names.joined(separator: " or ")
    }
}
