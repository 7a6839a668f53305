internal import CJansson
internal import Glibc

/// Parameters as one JSON object (RFC 8259).
package enum JSONObject {
    /// Names must differ; numbers must be finite; JSON text must be JSON.
    package static func encode(_ parameters: [Parameter]) throws(NetcoreError) -> [UInt8] {
        var names: Set<String> = []
        var result: [UInt8] = [UInt8(ascii: "{")]
        for parameter in parameters {
            guard names.insert(parameter.name).inserted else {
                throw NetcoreError(.invalidArgument, "parameters: \(parameter.name) is there twice, which JSON does not allow")
            }
            if result.count > 1 { result.append(UInt8(ascii: ",")) }
            result += try quoted(parameter.name)
            result.append(UInt8(ascii: ":"))
            result += try encode(parameter)
        }
        result.append(UInt8(ascii: "}"))
        return result
    }

    private static func encode(_ parameter: Parameter) throws(NetcoreError) -> [UInt8] {
        switch parameter.value {
        case .string(let text): return try quoted(text)
        case .integer(let number): return Array("\(number)".utf8)
        case .bool(let flag): return Array((flag ? "true" : "false").utf8)
        case .null: return Array("null".utf8)
        case .double(let number):
            guard number.isFinite else {
                throw NetcoreError(.invalidArgument, "parameters: \(parameter.name) is no finite number")
            }
            return Array("\(number)".utf8)
        case .json(let text):
            guard isValid(text) else {
                throw NetcoreError(.invalidArgument, "parameters: \(parameter.name) is no JSON")
            }
            return Array(text.utf8)
        }
    }

    /// Whether a text is one JSON value.
    package static func isValid(_ text: String) -> Bool {
        var text = text
        let value = text.withUTF8 { json_loadb($0.baseAddress, $0.count, Int(JSON_DECODE_ANY | JSON_REJECT_DUPLICATES), nil) }
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
