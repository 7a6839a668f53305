internal import CJansson
internal import Glibc

/// Writes the entries of an HTTP archive (HAR 1.2). What the format has no member for begins with an underscore: the pauses of a streamed
/// body, and errors.
enum HARWriter {
    /// The caller owns it; nil if memory ran out.
    static func entry(_ recording: Recording) -> JSONValue? {
        let (wait, receive) = (Double(recording.wait) / 1000, Double(recording.receive) / 1000)
        var members: [(String, JSONValue?)] = [
            ("startedDateTime", text(date(recording.started))), ("time", json_real(wait + receive)),
            ("request", request(recording)), ("response", response(recording)), ("cache", json_object()),
            ("timings", object([("send", json_real(0)), ("wait", json_real(wait)), ("receive", json_real(receive))])),
        ]
        switch recording.ending {
        case .whole: break
        case .open: members.append(("_open", json_integer(1)))
        case .failure(let code, let message):
            members += [("_error", text(message)), ("_status", json_integer(Int64(code.rawValue)))]
        }
        return object(members)
    }

    private static func request(_ recording: Recording) -> JSONValue? {
        let query = StubRequest(method: "", url: recording.url, headers: [], body: []).query
        var members: [(String, JSONValue?)] = [
            ("method", text(recording.method)), ("url", text(recording.url)),
            ("httpVersion", text(recording.version.isEmpty ? "HTTP/1.1" : recording.version)),
            ("cookies", json_array()),
            ("headers", fields(recording.requestFields)),
            ("queryString", fields(query.map { ($0.name, String(decoding: $0.value, as: UTF8.self)) })),
            ("headersSize", json_integer(-1)), ("bodySize", json_integer(Int64(recording.requestBody?.count ?? 0))),
        ]
        if let body = recording.requestBody {
            members.append(
                ("postData", object([("mimeType", text(recording.requestType))] + content(body, "_encoding"))))
        }
        return object(members)
    }

    private static func response(_ recording: Recording) -> JSONValue? {
        var body: [(String, JSONValue?)] = [
            ("size", json_integer(Int64(recording.body.count))), ("mimeType", text(recording.type)),
        ]
        if !recording.body.isEmpty { body += content(recording.body, "encoding") }
        if !recording.pieces.isEmpty { body.append(("_pieces", array(recording.pieces.map(piece)))) }
        let isRedirect = (300..<400).contains(recording.status)
        return object([
            ("status", json_integer(Int64(recording.status))), ("statusText", text("")),
            ("httpVersion", text(recording.version)), ("cookies", json_array()), ("headers", fields(recording.fields)),
            ("content", object(body)),
            ("redirectURL", text(isRedirect ? Recording.value(of: "location", in: recording.fields) : "")),
            ("headersSize", json_integer(-1)), ("bodySize", json_integer(-1)),
        ])
    }

    private static func piece(_ piece: Recording.Piece) -> JSONValue? {
        object([("wait", json_real(Double(piece.wait) / 1000)), ("size", json_integer(Int64(piece.count)))])
    }

    private static func fields(_ fields: [Recording.Field]) -> JSONValue? {
        array(fields.map { object([("name", text($0.name)), ("value", text($0.value))]) })
    }

    /// A body as text, or in base64 if it is not UTF-8.
    private static func content(_ bytes: [UInt8], _ encoding: String) -> [(String, JSONValue?)] {
        let text = bytes.withUnsafeBytes { json_stringn($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count) }
        if let text { return [("text", text)] }
        return [("text", self.text(Base64.encode(bytes))), (encoding, self.text("base64"))]
    }

    // MARK: Making JSON. Each takes what it is given, and gives the caller one reference.

    static func text(_ text: String) -> JSONValue? {
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                $0.isEmpty ? json_string("") : json_stringn($0.baseAddress, $0.count)
            }
        }
    }

    static func object(_ members: [(String, JSONValue?)]) -> JSONValue? {
        let result = json_object()
        for (name, value) in members { json_object_set_new(result, name, value) }
        return result
    }

    static func array(_ elements: [JSONValue?]) -> JSONValue? {
        let result = json_array()
        for element in elements { json_array_append_new(result, element) }
        return result
    }

    /// ISO 8601, in UTC.
    private static func date(_ milliseconds: Int64) -> String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &parts)
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        return "\(String(decoding: text[..<count].map(UInt8.init), as: UTF8.self)).\(fraction)Z"
    }
}
