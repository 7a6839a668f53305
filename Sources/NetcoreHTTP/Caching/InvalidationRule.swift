/// Which stored answers an answer to an unsafe method makes useless (RFC 9111 section 4.4), and the field Clear-Site-Data.
package enum InvalidationRule {
    /// Whether a method changes nothing (RFC 9110 section 9.2.1). One that is not known counts as unsafe.
    package static func isSafe(_ method: String) -> Bool {
        switch method {
        case "GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "REPORT", "SEARCH": true
        default: false
        }
    }

    /// How many values of Location, and of Content-Location, are read. Each has one by its definition.
    private static let valueLimit = 4

    /// The URLs whose stored answers go: the target, and what Location and Content-Location name on the same origin. None
    /// after an error, or a safe method.
    package static func targets(_ method: String, _ url: HTTPURL, status: Int, fields: FieldBlock) -> [HTTPURL] {
        guard !isSafe(method), (200..<400).contains(status) else { return [] }
        var result = [url]
        for name in ["location", "content-location"] as [StaticString] {
            var count = 0
            fields.forEachValue(of: name) { value in
                count += 1
                guard count <= valueLimit, let target = try? url.resolving(value), target.origin == url.origin else {
                    return
                }
                let key = target.withoutFragment
                if !result.contains(where: { $0.withoutFragment == key }) { result.append(target) }
            }
        }
        return result
    }

    /// Whether an answer asks to forget all that its origin had stored: "cache" or "*", in quotes, over https (W3C Clear
    /// Site Data, section 3.1).
    package static func clearsOrigin(_ url: HTTPURL, fields: FieldBlock) -> Bool {
        guard url.isSecure else { return false }
        var isFound = false
        fields.forEachValue(of: "clear-site-data") { value in
            for element in Syntax.listElements(value)
            where element.elementsEqual("\"cache\"".utf8) || element.elementsEqual("\"*\"".utf8) {
                isFound = true
            }
        }
        return isFound
    }
}
