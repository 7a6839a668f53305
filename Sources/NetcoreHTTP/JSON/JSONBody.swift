internal import CJansson

/// The JSON of a body, read to look into it. The value lives as long as this.
final class JSONBody {
    let value: UnsafeMutablePointer<json_t>

    /// Nil if the bytes are not one JSON value in UTF-8; a byte order mark may come before it.
    init?(_ bytes: UnsafeRawBufferPointer) {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        guard let base = bytes.baseAddress else { return nil }
        let flags = JSON_DECODE_ANY | JSON_ALLOW_NUL
        let count = bytes.count - start
        // Integers of more than 64 bits are read as real numbers, then all are.
        guard
            let value = json_loadb(base + start, count, Int(flags), nil)
                ?? json_loadb(base + start, count, Int(flags | JSON_DECODE_INT_AS_REAL), nil)
        else { return nil }
        self.value = value
    }

    convenience init?(_ text: String) {
        var text = text
        let made = text.withUTF8 { JSONBody(UnsafeRawBufferPointer($0)) }
        guard let made else { return nil }
        self.init(sharing: made.value)
    }

    private init(sharing value: UnsafeMutablePointer<json_t>) {
        netcore_json_retain(value)
        self.value = value
    }

    deinit { netcore_json_release(value) }
}

/// A place in a JSON value (RFC 6901).
package enum JSONPointer {
    /// Its steps, names and numbers of elements; nil if the text is no pointer.
    package static func steps(_ text: String) -> [String]? {
        guard !text.isEmpty else { return [] }
        guard text.utf8.first == UInt8(ascii: "/") else { return nil }
        var result: [String] = []
        for part in text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            var step: [UInt8] = []
            var isEscaped = false
            for byte in part {
                guard isEscaped || byte == UInt8(ascii: "~") else {
                    step.append(byte)
                    continue
                }
                if isEscaped {
                    guard byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else { return nil }
                    step.append(UInt8(ascii: byte == UInt8(ascii: "0") ? "~" : "/"))
                }
                isEscaped.toggle()
            }
            guard !isEscaped else { return nil }
            result.append(String(decoding: step, as: UTF8.self))
        }
        return result
    }

    /// A name as one step of a pointer.
    package static func escaped(_ name: String) -> String {
        var result: [UInt8] = []
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "~"): result += "~0".utf8
            case UInt8(ascii: "/"): result += "~1".utf8
            default: result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

typealias JSONValue = UnsafeMutablePointer<json_t>

extension JSONValue {
    var isNull: Bool { pointee.type == JSON_NULL }

    /// A member of an object; nil if there is none, or this is no object.
    func member(_ name: String) -> JSONValue? { json_object_get(self, name) }

    var string: String? {
        guard pointee.type == JSON_STRING else { return nil }
        let bytes = UnsafeRawBufferPointer(start: json_string_value(self), count: json_string_length(self))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The members of an object, in their order.
    var members: [(name: String, value: JSONValue)] {
        var result: [(name: String, value: JSONValue)] = []
        var next = json_object_iter(self)
        while let place = next {
            if let name = json_object_iter_key(place), let value = json_object_iter_value(place) {
                result.append((String(cString: name), value))
            }
            next = json_object_iter_next(self, place)
        }
        return result
    }

    /// The elements of an array.
    var elements: [JSONValue] { (0..<json_array_size(self)).compactMap { json_array_get(self, $0) } }
}
