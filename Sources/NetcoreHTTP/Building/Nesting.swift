/// How nested values are written where parameters are names with texts: in a query, a form and multipart.
package enum Nesting {
    /// A list repeats its name; an object is JSON text.
    case repeating
    /// The names of members and the places of elements go into brackets: `a[b]=1&l[]=1&l[]=2`. An element that is a list or an
    /// object itself is numbered, so that its parts stay together: `l[0][a]=1`. As in jQuery's `param`; Rack, PHP and qs read it.
    case brackets

    /// The parameters as names with texts. One with an empty list or object is left out.
    package func flat(_ parameters: [Parameter]) -> [Parameter] {
        switch self {
        case .repeating: parameters.repeatingLists
        case .brackets: parameters.flatMap { Self.parts(of: $0.value, named: $0.name) }
        }
    }

    private static func parts(of value: Parameter.Value, named name: String) -> [Parameter] {
        switch value {
        case .list(let values): return parts(of: values, named: name)
        case .json(let text):
            if let members = JSONObject.members(text) {
                return members.flatMap { parts(of: $0.value, named: "\(name)[\($0.name)]") }
            }
            if let values = JSONObject.values(text) { return parts(of: values, named: name) }
            return [Parameter(name, value)]
        case .string, .integer, .double, .bool, .null: return [Parameter(name, value)]
        }
    }

    private static func parts(of values: [Parameter.Value], named name: String) -> [Parameter] {
        values.enumerated().flatMap { index, value in
            parts(of: value, named: value.isNested ? "\(name)[\(index)]" : "\(name)[]")
        }
    }
}

extension Parameter.Value {
    /// Whether it is a list or an object.
    fileprivate var isNested: Bool {
        switch self {
        case .list: true
        case .json(let text):
            text.utf8.first { $0 > 0x20 }.map { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") } ?? false
        case .string, .integer, .double, .bool, .null: false
        }
    }
}
