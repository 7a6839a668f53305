internal import CJansson

/// Reads the entries of an HTTP archive (HAR 1.2), also of one that a browser or a proxy wrote: members may be missing, bodies may be in
/// base64, and are decoded, whatever Content-Encoding says.
enum HARReader {
    /// - Returns: nil for an entry that is not one of HTTP, as browsers have them of extensions and of "data:" URLs.
    static func recording(_ entry: HARValue) throws(NetcoreError) -> Recording? {
        let request = try entry.required("request")
        guard let url = try request.required("url").value.string else {
            throw try request.required("url").wrong("a string")
        }
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else { return nil }
        var result = Recording()
        do throws(NetcoreError) {
            result.url = try HTTPURL(url).string
        } catch {
            throw try request.required("url").wrong("a URL")
        }
        result.method = try request.text("method") ?? "GET"
        result.requestFields = try fields(request)
        if let data = try request.member("postData") { try readPosted(data, into: &result) }
        if let response = try entry.member("response") { try readResponse(response, into: &result) }
        try readEnding(entry, into: &result)
        // An interim answer, or another protocol from then on.
        return result.status != 0 && !(200..<600).contains(result.status) ? nil : result
    }

    private static func fields(_ part: HARValue) throws(NetcoreError) -> [Recording.Field] {
        var result: [Recording.Field] = []
        for field in try part.list("headers") {
            guard let name = try field.text("name"), let value = try field.text("value") else { continue }
            // Browsers have fields such as ":path", and one line for each of several cookies.
            guard Syntax.isToken(name.utf8) else { continue }
            for line in value.split(separator: "\n") where Syntax.isFieldValue(line.utf8) {
                result.append((name, String(line)))
            }
            if value.isEmpty { result.append((name, "")) }
        }
        return result
    }

    private static func readPosted(_ data: HARValue, into result: inout Recording) throws(NetcoreError) {
        if result.requestType.isEmpty, let type = try data.text("mimeType"), !type.isEmpty {
            result.requestFields.append(("Content-Type", type))
        }
        if let text = try data.text("text") {
            let encoding = try data.text("_encoding")
            result.requestBody = try bytes(text, encoding == nil ? data.text("encoding") : encoding, data)
        } else {
            var pairs: [[UInt8]] = []
            for pair in try data.list("params") {
                guard let name = try pair.text("name") else { continue }
                var text: [UInt8] = []
                PercentEncoding.append(name.utf8, .form, to: &text)
                text.append(UInt8(ascii: "="))
                PercentEncoding.append((try pair.text("value") ?? "").utf8, .form, to: &text)
                pairs.append(text)
            }
            if !pairs.isEmpty { result.requestBody = Array(pairs.joined(separator: [UInt8(ascii: "&")])) }
        }
    }

    private static func readResponse(_ response: HARValue, into result: inout Recording) throws(NetcoreError) {
        result.status = Int(exactly: (try response.number("status") ?? 0).rounded()) ?? 0
        result.fields = try fields(response)
        guard let content = try response.member("content") else { return }
        result.body = try bytes(content.text("text") ?? "", content.text("encoding"), content)
        if result.type.isEmpty, let type = try content.text("mimeType"), type.contains("/"),
            Syntax.isFieldValue(type.utf8)
        {
            result.fields.append(("Content-Type", type))
        }
        for piece in try content.list("_pieces") {
            let wait = min(max(try piece.number("wait") ?? 0, 0), 86_400_000)
            let count = min(max(try piece.number("size") ?? 0, 0), Double(result.body.count))
            result.pieces.append(Recording.Piece(wait: Int(wait * 1000), count: Int(count)))
        }
    }

    private static func readEnding(_ entry: HARValue, into result: inout Recording) throws(NetcoreError) {
        if try entry.member("_open") != nil { result.ending = .open }
        let message = try entry.member("_error").map { $0.value.string ?? "" }
        guard result.status == 0 || message != nil else { return }
        let status = Int32(exactly: (try entry.number("_status") ?? 0).rounded()) ?? 0
        let code = status >= 400 ? NetcoreError.Code(rawValue: status) : .connect
        result.ending = .failure(code.isKnown ? code : .connect, message ?? "the recording has no answer")
    }

    private static func bytes(
        _ text: String, _ encoding: String?, _ part: HARValue
    ) throws(NetcoreError) -> [UInt8] {
        guard let encoding, !encoding.isEmpty else { return Array(text.utf8) }
        guard encoding.lowercased() == "base64", let bytes = Base64.decode(text) else {
            throw HARValue(value: part.value, place: part.place + "/text").wrong(
                "base64, as the encoding beside it says")
        }
        return bytes
    }
}
