internal import CJansson
internal import Glibc

/// An HTTP archive (HAR 1.2): what was read stays as it is, and recordings are added. For one thread at a time.
package final class HARDocument: @unchecked Sendable {  // see above
    private let root: JSONValue
    private let entries: JSONValue
    /// What was hidden when it was recorded.
    package private(set) var secrets = SecretNames()
    /// What was read, in its order.
    package private(set) var recordings: [Recording] = []

    /// An empty one.
    package init(secrets: SecretNames, version: String) throws(NetcoreError) {
        let creator = HARWriter.object([("name", HARWriter.text("netcore")), ("version", HARWriter.text(version))])
        let log = HARWriter.object([
            ("version", HARWriter.text("1.2")), ("creator", creator), ("pages", json_array()),
            ("entries", json_array()),
        ])
        guard let root = HARWriter.object([("log", log)]), let entries = root.member("log")?.member("entries") else {
            throw NetcoreError(.outOfMemory)
        }
        self.root = root
        self.entries = entries
        add(secrets)
    }

    /// - Throws: ``NetcoreError/Code/storage``; the message says what is damaged and where.
    package init(reading bytes: [UInt8]) throws(NetcoreError) {
        guard let body = bytes.withUnsafeBytes({ JSONBody($0) }) else { throw Self.syntaxError(bytes) }
        let top = HARValue(value: body.value, place: "")
        let list = try top.required("log").required("entries")
        guard list.value.pointee.type == JSON_ARRAY else { throw list.wrong("an array") }
        var found: [Recording] = []
        for entry in try top.required("log").list("entries") {
            if let recording = try HARReader.recording(entry) { found.append(recording) }
        }
        let hidden = try top.required("log").member("_hidden")
        var secrets = SecretNames()
        for name in try hidden?.list("headers") ?? [] { secrets.headers.append(name.value.string ?? "") }
        for name in try hidden?.list("parameters") ?? [] { secrets.parameters.append(name.value.string ?? "") }
        netcore_json_retain(body.value)
        root = body.value
        entries = list.value
        recordings = found
        self.secrets = secrets
    }

    deinit { netcore_json_release(root) }

    private static func syntaxError(_ bytes: [UInt8]) -> NetcoreError {
        var error = json_error_t()
        let flags = JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL
        let value = bytes.withUnsafeBytes { json_loadb($0.baseAddress, $0.count, Int(flags), &error) }
        if let value { netcore_json_release(value) }
        let text = withUnsafeBytes(of: error.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return HARValue.error("not JSON, line \(error.line), column \(error.column): \(text)")
    }

    /// Notes what is hidden from now on.
    package func add(_ more: SecretNames) {
        secrets.formUnion(more)
        guard secrets != SecretNames() else { return }
        let hidden = HARWriter.object([
            ("headers", HARWriter.array(secrets.headers.map(HARWriter.text))),
            ("parameters", HARWriter.array(secrets.parameters.map(HARWriter.text))),
        ])
        json_object_set_new(root.member("log"), "_hidden", hidden)
    }

    /// Adds a recording, without what is secret.
    package func append(_ recording: Recording) {
        json_array_append_new(entries, HARWriter.entry(secrets.hidden(recording)))
    }

    package func encoded() throws(NetcoreError) -> [UInt8] {
        guard let text = json_dumps(root, 1) else { throw NetcoreError(.outOfMemory) }  // indented by one space
        defer { free(text) }
        return Array(UnsafeRawBufferPointer(start: text, count: strlen(text))) + [0x0A]
    }
}
