internal import CJansson
internal import Glibc

/// What two requests have in common that are the same for a cassette: method, URL, and body, without secrets.
package struct RecordedRequest: Sendable, Hashable {
    package let method: String
    package let url: String
    /// JSON without white space and with names in order, so that it does not matter who wrote it; multipart without its boundary.
    package let body: [UInt8]

    package init(method: String, url: String, body: [UInt8], type: String, secrets: SecretNames) {
        self.method = method
        self.url = secrets.hidden(url: String(url.prefix { $0 != "#" }))
        self.body = Self.canonical(secrets.hidden(body: body, type: type), type)
    }

    package init(_ recording: Recording, secrets: SecretNames) {
        self.init(
            method: recording.method, url: recording.url, body: recording.requestBody ?? [],
            type: recording.requestType, secrets: secrets)
    }

    private static func canonical(_ body: [UInt8], _ type: String) -> [UInt8] {
        if body.first == UInt8(ascii: "{") || body.first == UInt8(ascii: "["),
            let json = body.withUnsafeBytes({ JSONBody($0) }),
            let text = withExtendedLifetime(json, { json_dumps(json.value, Int(JSON_COMPACT | JSON_SORT_KEYS)) })
        {
            defer { free(text) }
            return Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
        }
        guard type.lowercased().hasPrefix("multipart/"), let boundary = boundary(of: type) else { return body }
        return without(Array(boundary.utf8), body)
    }

    /// RFC 2046 section 5.1.1.
    private static func boundary(of type: String) -> String? {
        for parameter in type.split(separator: ";").dropFirst() {
            let sides = parameter.split(separator: "=", maxSplits: 1)
            guard sides.count == 2, sides[0].trimmed.lowercased() == "boundary" else { continue }
            let value = sides[1].trimmed.filter { $0 != "\"" }
            return value.isEmpty ? nil : value
        }
        return nil
    }

    private static func without(_ part: [UInt8], _ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var place = 0
        while place < text.count {
            if text[place] == part[0], text[place...].starts(with: part) {
                place += part.count
            } else {
                result.append(text[place])
                place += 1
            }
        }
        return result
    }

    // MARK: Differences

    /// In what another request differs from this one, which was recorded.
    func differences(from other: RecordedRequest) -> [StubDifference] {
        let (mine, theirs) = (stub, other.stub)
        var result: [StubDifference] = []
        if theirs.method != mine.method {
            result.append(StubDifference(.method, "", Array(theirs.method.utf8), Array(mine.method.utf8)))
        }
        if theirs.place != mine.place {
            result.append(StubDifference(.url, "", Array(theirs.place.utf8), Array(mine.place.utf8)))
        }
        for pair in mine.query where !theirs.query.contains(where: { $0 == pair }) {
            let found = theirs.query.first { $0.name == pair.name }
            result.append(StubDifference(.parameter, pair.name, found?.value, pair.value))
        }
        for pair in theirs.query where !mine.query.contains(where: { $0.name == pair.name }) {
            result.append(StubDifference(.surplus, pair.name))
        }
        if theirs.body != mine.body { result.append(StubDifference(.body, "", theirs.body, mine.body)) }
        // The order of parameters, or how they are written.
        if result.isEmpty, url != other.url {
            result.append(StubDifference(.url, "", Array(other.url.utf8), Array(url.utf8)))
        }
        return result
    }

    private var stub: StubRequest { StubRequest(method: method, url: url, headers: [], body: body) }

    /// As messages name it.
    var name: String { "\(method) \(url)" }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
