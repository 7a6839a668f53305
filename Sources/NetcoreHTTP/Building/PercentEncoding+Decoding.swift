extension PercentEncoding {
    /// The bytes of a text of a query: "+" is a space, "%" with two digits a byte; any other "%" stays.
    package static func decode(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "%"), index + 2 < text.count, let high = digit(text[index + 1]),
                let low = digit(text[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(text[index] == UInt8(ascii: "+") ? 0x20 : text[index])
                index += 1
            }
        }
        return result
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
