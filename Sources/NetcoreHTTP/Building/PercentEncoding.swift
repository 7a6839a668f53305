/// Writing text as parts of a URL, and as a form.
package enum PercentEncoding {
    /// Which bytes stay as they are.
    package enum Form: Sendable {
        /// The unreserved characters of RFC 3986 section 2.3; the rest as "%" and two digits. For path segments, and for
        /// names and values in a query.
        case component
        /// application/x-www-form-urlencoded (WHATWG URL, section 5.2): a space is "+".
        case form
    }

    package static func append(_ text: some Sequence<UInt8>, _ form: Form, to result: inout [UInt8]) {
        for byte in text {
            if isKept(byte, form) {
                result.append(byte)
            } else if byte == 0x20, form == .form {
                result.append(UInt8(ascii: "+"))
            } else {
                result += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
            }
        }
    }

    package static func encode(_ text: String, _ form: Form = .component) -> String {
        var result: [UInt8] = []
        append(text.utf8, form, to: &result)
        return String(decoding: result, as: UTF8.self)
    }

    private static func isKept(_ byte: UInt8, _ form: Form) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        case UInt8(ascii: "~"): form == .component
        case UInt8(ascii: "*"): form == .form
        default: false
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
}
