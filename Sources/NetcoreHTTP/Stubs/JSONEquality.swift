internal import CJansson

/// JSON texts that are compared as values.
package enum JSONEquality {
    /// Whether both are JSON, and equal: white space, the order of names and "1" or "1.0" do not matter.
    package static func areEqual(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        guard let one = load(first) else { return false }
        defer { netcore_json_release(one) }
        guard let other = load(second) else { return false }
        defer { netcore_json_release(other) }
        return json_equal(one, other) == 1
    }

    private static func load(_ text: [UInt8]) -> UnsafeMutablePointer<json_t>? {
        let flags = JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL
        return text.withUnsafeBytes { json_loadb($0.baseAddress, $0.count, Int(flags), nil) }
    }
}
