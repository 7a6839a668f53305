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
        case .list(let values): try encode(values)
        case .integer, .double, .bool, .json: Array(value.text.utf8)
        }
    }

    private static func encode(_ values: [Parameter.Value]) throws(NetcoreError) -> [UInt8] {
        var result = [UInt8(ascii: "[")]
        for value in values {
            if result.count > 1 { result.append(UInt8(ascii: ",")) }
            result += try encode(value)
        }
        result.append(UInt8(ascii: "]"))
        return result
    }

    /// A value as JSON; "" if memory runs out.
    package static func text(_ value: Parameter.Value) -> String {
        do throws(NetcoreError) {
            return String(decoding: try encode(value), as: UTF8.self)
        } catch {
            return ""
        }
    }

    /// The elements of a JSON array: texts, nulls, and of all others their JSON, letter by letter.
    package static func elements(_ text: String) throws(NetcoreError) -> [Parameter.Value] {
        guard isValid(text), let values = values(text) else {
            throw NetcoreError(.invalidArgument, argument: "value", "not a valid JSON array")
        }
        return values
    }

    /// A value of valid JSON.
    package static func value(_ text: String) -> Parameter.Value {
        element(trimmed(Array(text.utf8)[...])) ?? .json(text)
    }

    /// The members of a JSON object as parameters, in the same manner.
    package static func parameters(_ text: String, _ argument: String) throws(NetcoreError) -> [Parameter] {
        guard isValid(text), let members = members(text) else {
            throw NetcoreError(.invalidArgument, argument: argument, "not a valid JSON object")
        }
        return members.map { Parameter($0.name, $0.value) }
    }

    /// The same of valid JSON; nil if it is no array, or if memory ran out.
    static func values(_ text: String) -> [Parameter.Value]? {
        guard let parts = split(Array(text.utf8), UInt8(ascii: "[")) else { return nil }
        let values = parts.compactMap(element)
        return values.count == parts.count ? values : nil
    }

    /// The members of an object that is valid JSON, in the same manner; nil if it is another value, or if memory ran out.
    static func members(_ text: String) -> [(name: String, value: Parameter.Value)]? {
        guard let parts = split(Array(text.utf8), UInt8(ascii: "{")) else { return nil }
        var result: [(name: String, value: Parameter.Value)] = []
        for part in parts {
            let end = endOfText(part)
            let rest = trimmed(part[end...]).dropFirst()  // the colon
            guard case .string(let name)? = element(part[..<end]), let value = element(trimmed(rest)) else {
                return nil
            }
            result.append((name, value))
        }
        return result
    }

    /// Where the text ends that this begins with.
    private static func endOfText(_ json: ArraySlice<UInt8>) -> Int {
        var index = json.startIndex + 1
        while json[index] != UInt8(ascii: "\"") { index += json[index] == UInt8(ascii: "\\") ? 2 : 1 }
        return index + 1
    }

    /// What stands between the commas of an array or an object that is valid JSON; nil if it is another value.
    private static func split(_ text: [UInt8], _ opening: UInt8) -> [ArraySlice<UInt8>]? {
        let whole = trimmed(text[...])
        guard whole.first == opening else { return nil }
        let inner = trimmed(whole.dropFirst().dropLast())
        guard !inner.isEmpty else { return [] }
        var parts: [ArraySlice<UInt8>] = []
        var (depth, start, index) = (0, inner.startIndex, inner.startIndex)
        while index < inner.endIndex {
            switch inner[index] {
            case UInt8(ascii: "\""):
                index = endOfText(inner[index...])
                continue
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ",") where depth == 0:
                parts.append(trimmed(inner[start..<index]))
                start = index + 1
            default: break
            }
            index += 1
        }
        parts.append(trimmed(inner[start...]))
        return parts
    }

    private static func element(_ json: ArraySlice<UInt8>) -> Parameter.Value? {
        let text = String(decoding: json, as: UTF8.self)
        if text == "null" { return .null }
        guard json.first == UInt8(ascii: "\"") else { return .json(text) }
        let value = json.withUnsafeBytes { json_loadb($0.baseAddress, $0.count, Int(validity), nil) }
        guard let value else { return nil }
        defer { netcore_json_release(value) }
        let bytes = UnsafeRawBufferPointer(start: json_string_value(value), count: json_string_length(value))
        return .string(String(decoding: bytes, as: UTF8.self))
    }

    /// Without the white space of JSON around it.
    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
        let rest = text.drop(while: isSpace)
        guard let last = rest.lastIndex(where: { !isSpace($0) }) else { return rest }
        return rest[...last]
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
