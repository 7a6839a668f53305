/// Which fields of an answer are stored (RFC 9111 section 3.1).
///
/// Not stored are the fields that belong to one connection (RFC 9110 section 7.6.1), those that Connection lists, those
/// meant for a proxy, and those that a qualified no-cache, or in a shared cache a qualified private, lists.
package struct FieldStorage: Sendable {
    /// Names in lower case, beside the fixed ones.
    private var excluded: Set<String> = []

    package init(_ fields: FieldBlock, _ directives: ResponseDirectives, isShared: Bool) {
        if !directives.noCacheFields.isEmpty { excluded = Set(directives.noCacheFields) }
        if isShared { excluded.formUnion(directives.privateFields) }
        fields.forEachValue(of: "connection") { value in
            Syntax.forEachElement(value) { name in
                if !Self.belongsToConnection(name) { excluded.insert(CacheControl.lowercased(name)) }
            }
        }
    }

    /// Whether a field is left out that says how long the answer lives, or for whom it is: what is left would be read
    /// wrongly.
    package var hidesRules: Bool {
        !excluded.isEmpty && !excluded.isDisjoint(with: ["cache-control", "expires", "date", "age", "vary"])
    }

    /// Whether a field of that name is stored.
    package func keeps(_ name: UnsafeRawBufferPointer) -> Bool {
        guard !Self.belongsToConnection(name) else { return false }
        return excluded.isEmpty || !excluded.contains(CacheControl.lowercased(name))
    }

    /// The fields to store of an answer. Where the origin sent no Date, the time at which the answer came stands for it
    /// (RFC 9110 section 6.6.1).
    package func filtered(_ fields: FieldBlock, receivedAt seconds: Int64) -> FieldBlock {
        let result = FieldBlock()
        result.append(fields) { keeps($0) }
        if !result.contains("date") { result.append("Date", HTTPDate.format(seconds)) }
        return result
    }

    private static func belongsToConnection(_ name: UnsafeRawBufferPointer) -> Bool {
        switch name.count {
        case 2: Syntax.equalsIgnoringCase(name, "te")
        case 5: Syntax.equalsIgnoringCase(name, "close")
        case 7: Syntax.equalsIgnoringCase(name, "trailer") || Syntax.equalsIgnoringCase(name, "upgrade")
        case 10: Syntax.equalsIgnoringCase(name, "connection") || Syntax.equalsIgnoringCase(name, "keep-alive")
        case 16: Syntax.equalsIgnoringCase(name, "proxy-connection")
        case 17: Syntax.equalsIgnoringCase(name, "transfer-encoding")
        case 18: Syntax.equalsIgnoringCase(name, "proxy-authenticate")
        case 19: Syntax.equalsIgnoringCase(name, "proxy-authorization")
        case 25: Syntax.equalsIgnoringCase(name, "proxy-authentication-info")
        default: false
        }
    }
}
