internal import Netcore
public import NetcoreHTTP

/// A parameter of an API: what it may be, and where it goes.
public struct APIParameter: Sendable {
    /// Where a parameter goes. Values are those of netcore/api.h.
    public enum Place: Int32, Sendable {
        /// Into the path, if the URL has its name in braces; otherwise as ``Request/addParameter(_:_:)`` says: into the query, or into
        /// the body as ``Request/serializer`` writes it.
        case standard = 0
        /// Into the query, whatever the method.
        case query = 1
        /// A header field.
        case header = 2
        /// The value is the body, as JSON.
        case body = 3
    }

    /// By which callers know it.
    public let name: String
    /// As it was given; nil for any value but null.
    public let type: String?
    public let place: Place
    /// What it is called in the query, in the body or as a header field.
    public let field: String
    public let defaultValue: Parameter.Value?
    private let shape: JSONShape?

    /// - Parameters:
    ///   - type: what the value may be, as in ``JSONShape``: "string", "integer", "number", "boolean", "string|integer", `["string"]`. With
    ///     "?" at its end it may be missing or null. Nil for any value but null.
    ///   - field: by default the name.
    ///   - defaultValue: of a call that does not give one.
    /// - Throws: ``NetcoreError/Code/invalidArgument`` for an empty name and what is no type, ``NetcoreError/Code/invalidParam`` for a default
    ///   of another type.
    public init(
        _ name: String, type: String? = nil, in place: Place = .standard, field: String? = nil,
        default defaultValue: Parameter.Value? = nil
    ) throws(NetcoreError) {
        for (text, argument) in [(name, "name"), (field ?? name, "field")] where text.isEmpty {
            throw NetcoreError(.invalidArgument, argument: argument, "must not be empty")
        }
        self.name = name
        self.type = type
        self.place = place
        self.field = field ?? name
        self.defaultValue = defaultValue
        shape = try type.map { (type) throws(NetcoreError) in try Self.shape(type) }
        if let defaultValue, let reason = objection(to: defaultValue) { throw refused("the default: \(reason)") }
    }

    private static func shape(_ type: String) throws(NetcoreError) -> JSONShape {
        let isTemplate = type.utf8.first == UInt8(ascii: "[") || type.utf8.first == UInt8(ascii: "{")
        do throws(NetcoreError) {
            return try JSONShape(isTemplate ? type : JSONObject.text(.string(type)))
        } catch {
            throw NetcoreError(
                .invalidArgument, argument: "type",
                "must be a type such as \"integer?\" or \"string|number\", or a template of JSON")
        }
    }

    var isRequired: Bool { defaultValue == nil && !(shape?.isOptional ?? false) }

    /// Whether a text is a value of it, and not to be read as JSON.
    var takesText: Bool { shape?.takesText ?? true }

    func refused(_ reason: String) -> NetcoreError { NetcoreError(.invalidParam, argument: name, reason) }

    /// Why a value cannot be that of the parameter; nil if it can.
    func objection(to value: Parameter.Value) -> String? {
        do throws(NetcoreError) {
            try value.check("value")
        } catch {
            return "not valid JSON, or not a finite number"
        }
        let json = JSONObject.text(value)
        guard let shape else { return json == "null" ? "must not be null" : nil }
        guard let found = shape.mismatch(json) else { return nil }
        return found.pointer.isEmpty ? found.reason : "\(found.pointer): \(found.reason)"
    }
}
