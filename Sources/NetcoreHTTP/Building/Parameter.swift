/// A parameter of a request: a name and a typed value.
public struct Parameter: Sendable {
    public enum Value: Sendable {
        case string(String)
        case integer(Int64)
        case double(Double)
        case bool(Bool)
        case null
        /// Text that is JSON already, such as a list or an object.
        case json(String)
        /// Several values: an array in JSON; in a query and in a form the name repeats, once for each.
        case list([Value])

        /// As it stands in a query or a form: null is empty, a list within a list is JSON.
        package var text: String {
            switch self {
            case .list: JSONObject.text(self)
            case .string(let text), .json(let text): text
            case .integer(let number): String(number)
            case .double(let number): "\(number)"
            case .bool(let flag): flag ? "true" : "false"
            case .null: ""
            }
        }
    }

    public let name: String
    public let value: Value

    public init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }
}

extension Parameter {
    /// Whether it has a name, byte by byte: Swift's == takes an "é" for an "e" with an accent after it.
    package func isNamed(_ name: String) -> Bool { self.name.utf8.elementsEqual(name.utf8) }

    /// Refuses what no body or query has.
    package func check() throws(NetcoreError) {
        guard !name.isEmpty else { throw NetcoreError(.invalidArgument, argument: "parameters", "a name is empty") }
        if let objection = value.objection {
            throw NetcoreError(.invalidArgument, argument: "parameters", "\(name): \(objection)")
        }
    }
}

extension Parameter.Value {
    /// Refuses what no body or query has.
    ///
    /// - Parameter argument: as the error names the value.
    package func check(_ argument: String) throws(NetcoreError) {
        if let objection { throw NetcoreError(.invalidArgument, argument: argument, "\(objection)") }
    }

    fileprivate var objection: StaticString? {
        switch self {
        case .list(let values): values.lazy.compactMap(\.objection).first
        case .double(let number) where !number.isFinite: "must be a finite number"
        case .json(let text) where !JSONObject.isValid(text): "not valid JSON"
        default: nil
        }
    }
}

extension [Parameter] {
    /// The same with a parameter for each value of a list.
    package var repeatingLists: [Parameter] {
        flatMap { parameter in
            guard case .list(let values) = parameter.value else { return [parameter] }
            return values.map { Parameter(parameter.name, $0) }
        }
    }

    /// "name=value&name=value", each name and value encoded.
    package func encoded(_ form: PercentEncoding.Form) throws(NetcoreError) -> [UInt8] {
        var result: [UInt8] = []
        for parameter in self {
            try parameter.check()
            if !result.isEmpty { result.append(UInt8(ascii: "&")) }
            PercentEncoding.append(parameter.name.utf8, form, to: &result)
            result.append(UInt8(ascii: "="))
            PercentEncoding.append(parameter.value.text.utf8, form, to: &result)
        }
        return result
    }
}

extension Parameter.Value: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(nilLiteral: ()) { self = .null }
    public init(arrayLiteral elements: Self...) { self = .list(elements) }
}
