internal import CJansson
internal import Glibc

/// Parameters as one JSON object (RFC 8259).
package enum JSONObject {
    /// Names must differ; numbers must be finite; JSON text must be JSON.
    package static func encode(_ parameters: [Parameter]) throws(NetcoreError) -> [UInt8] {
        var names: Set<[UInt8]> = []
        var result: [UInt8] = [UInt8(ascii: "{")]
        for parameter in parameters {
            guard names.insert(Array(parameter.name.utf8)).inserted else {
                throw NetcoreError(
                    .invalidArgument, argument: "parameters",
                    "\(parameter.name) is there twice, which JSON does not allow")
            }
            if result.count > 1 { result.append(UInt8(ascii: ",")) }
            result += try quoted(parameter.name)
            result.append(UInt8(ascii: ":"))
            try parameter.check()
            result += try encode(parameter.value)
        }
        result.append(UInt8(ascii: "}"))
        return result
    }

    private static func encode(_ value: Parameter.Value) throws(NetcoreError) -> [UInt8] {
        switch value {
        case .string(let text): try quoted(text)
        case .null: Array("null".utf8)
        case .integer, .double, .bool, .json: Array(value.text.utf8)
        }
    }

    /// Numbers of any size and "\u0000" are JSON; that jansson has no type for them does not matter, for nothing is made of them.
    private static let validity = JSON_DECODE_ANY | JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL

    /// Whether a text is one JSON value.
    package static func isValid(_ text: String) -> Bool {
        var text = text
        let value = text.withUTF8 { json_loadb($0.baseAddress, $0.count, Int(validity), nil) }
        guard let value else { return false }
        netcore_json_release(value)
        return true
    }

    private static func quoted(_ text: String) throws(NetcoreError) -> [UInt8] {
        var text = text
        let value = text.withUTF8 { json_stringn($0.baseAddress, $0.count) }
        guard let value else { throw NetcoreError(.outOfMemory) }
        defer { netcore_json_release(value) }
        guard let dumped = json_dumps(value, Int(JSON_ENCODE_ANY)) else { throw NetcoreError(.outOfMemory) }
        defer { free(dumped) }
        return Array(UnsafeRawBufferPointer(start: dumped, count: strlen(dumped)))
    }
}
