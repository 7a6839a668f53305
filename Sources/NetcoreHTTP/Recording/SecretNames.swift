/// The names of what recordings must not contain: header fields, parameters of URLs and forms, members of JSON.
package struct SecretNames: Sendable, Equatable {
    /// What stands in place of a value.
    package static let mark = "(hidden)"
    private static let markBytes = Array(mark.utf8)

    /// Beside those that are always hidden; compared without case.
    package var headers: [String] = []
    /// Of the query of a URL, of forms, and of JSON objects at any depth.
    package var parameters: [String] = []

    package init(headers: [String] = [], parameters: [String] = []) {
        self.headers = headers
        self.parameters = parameters
    }

    private static let always = ["authorization", "proxy-authorization", "cookie", "set-cookie"]

    package mutating func formUnion(_ other: SecretNames) {
        headers += other.headers.filter { !headers.contains($0) }
        parameters += other.parameters.filter { !parameters.contains($0) }
    }

    /// The recording without their values.
    package func hidden(_ recording: Recording) -> Recording {
        var result = recording
        result.url = hidden(url: recording.url)
        result.requestFields = recording.requestFields.map(hidden)
        result.requestBody = recording.requestBody.map { hidden(body: $0, type: recording.requestType) }
        result.fields = recording.fields.map(hidden)
        result.body = hidden(body: recording.body, type: recording.type)
        if result.body.count != recording.body.count {
            if !result.pieces.isEmpty { result.pieces = [Recording.Piece(wait: 0, count: result.body.count)] }
            result.fields.removeAll { Syntax.equalsIgnoringCase($0.name, "content-length") }
        }
        return result
    }

    private func hidden(_ field: Recording.Field) -> Recording.Field {
        guard !(Self.always + headers).contains(where: { Syntax.equalsIgnoringCase($0, field.name) }) else {
            return (field.name, Self.mark)
        }
        return (field.name, hidden(url: field.value))
    }

    /// Hides the parameters of URLs in a text.
    package func hidden(url text: String) -> String {
        guard !parameters.isEmpty else { return text }
        return String(decoding: hiddenPairs(Array(text.utf8), isForm: false), as: UTF8.self)
    }

    package func hidden(body: [UInt8], type: String) -> [UInt8] {
        guard !parameters.isEmpty, !body.isEmpty else { return body }
        if let result = JSONMembers.replaced(body, parameters, Array("\"\(Self.mark)\"".utf8)) { return result }
        let isForm = type.lowercased().hasPrefix("application/x-www-form-urlencoded")
        return isForm ? hiddenPairs(body, isForm: true) : body
    }

    /// Names and values stand after "?", "&" and "#", and at the beginning of a form.
    private func hiddenPairs(_ text: [UInt8], isForm: Bool) -> [UInt8] {
        var result: [UInt8] = []
        var place = 0
        var isName = isForm
        while place < text.count {
            if isName, let value = valueOfSecret(text, place) {
                result += text[place..<value]
                result += Self.markBytes
                place = text[value...].firstIndex(where: Self.endsValue) ?? text.count
            }
            guard place < text.count else { break }
            isName = "?&#".utf8.contains(text[place])
            result.append(text[place])
            place += 1
        }
        return result
    }

    private static func endsValue(_ byte: UInt8) -> Bool { byte <= 0x20 || "&#>\"".utf8.contains(byte) }

    /// Where the value of a secret begins whose name stands at a place; nil for another name.
    private func valueOfSecret(_ text: [UInt8], _ place: Int) -> Int? {
        guard let end = text[place...].firstIndex(where: { Self.endsValue($0) || $0 == UInt8(ascii: "=") }),
            text[end] == UInt8(ascii: "=")
        else { return nil }
        let name = String(decoding: PercentEncoding.decode(Array(text[place..<end])), as: UTF8.self)
        return parameters.contains(name) ? end + 1 : nil
    }
}
