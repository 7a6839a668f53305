import Netcore
import NetcoreHTTP

/// Whether a response out of the cache is what its origin sent: status, fields, bytes and age.
struct ModelBytes {
    let answer: ModelAnswer
    let ask: ModelAsk
    let response: Response

    func objection(_ age: Int64?) -> String? {
        let longest: Int64 = 1 << 31
        let expected = min(age.map { $0 / 1000 } ?? longest, longest)
        let wanted = response.cacheResult != .revalidated && ask.timeToLive != nil ? nil : expected
        guard let shown = response.headers["age"].flatMap({ Int64($0) }) else { return "no Age" }
        if let wanted, wanted != shown { return "Age \(shown), not \(wanted)" }
        return objectionToFields ?? objectionToBody
    }

    private var objectionToFields: String? {
        for name in ["X-Hop", "Connection"] where response.headers[name] != nil { return "\(name) was stored" }
        for name in ["Cache-Control", "Expires", "ETag"] {
            let sent = answer.fields.first { $0.name == name }?.value
            if response.headers[name] != sent {
                return "\(name) is \(response.headers[name] ?? "-"), not \(sent ?? "-")"
            }
        }
        guard response.status != 304, response.status != 416 else { return nil }
        let whole = "\(answer.representation.version).\(answer.representation.occasion)"
        guard response.headers["X-Whole"] == whole else { return "a field of the first answer is lost" }
        return nil
    }

    private var objectionToBody: String? {
        let bytes = answer.representation.bytes
        let stored = answer.status == 304 || answer.ask.method == "HEAD" ? 200 : answer.status
        switch response.status {
        case 304:
            guard let ifNoneMatch = ask.ifNoneMatch else { return "a 304 that no request asked for" }
            let names = ifNoneMatch == answer.representation.tag && answer.version.hasTag
            return names && response.body.isEmpty ? nil : "a 304 for another representation"
        case 416:
            guard let range = ask.range, range.first >= bytes.count else { return "416 for bytes that are there" }
            return nil
        case 206:
            guard let range = ask.range, range.first < bytes.count else { return "a part that no request asked for" }
            let expected = range.first..<(min(range.last, bytes.count - 1) + 1)
            let text = "bytes \(expected.lowerBound)-\(expected.upperBound - 1)/\(bytes.count)"
            guard response.headers["content-range"] == text else { return "another Content-Range than \(text)" }
            return response.body == Array(bytes[expected]) ? nil : "not the bytes of the range"
        // All parts together are the whole.
        case _ where response.status == stored || response.status == 200 && stored == 206:
            let expected = ask.method == "HEAD" ? [] : bytes
            guard response.body == expected else { return "not the bytes that were sent" }
            return response.headers["content-length"] == "\(bytes.count)" ? nil : "not the length of the bytes"
        default: return "status \(response.status), not \(stored)"
        }
    }
}
