import NetcoreHTTP
import Testing

@Suite struct RecordingTests {
    private func request(
        _ method: String = "GET", _ url: String = "http://a.test/", _ body: String = "", type: String = "",
        secrets: SecretNames = SecretNames()
    ) -> RecordedRequest {
        RecordedRequest(method: method, url: url, body: Array(body.utf8), type: type, secrets: secrets)
    }

    @Test(
        "bodies are the same for a cassette that mean the same",
        arguments: [
            ("", "", "", "", true),
            ("a", "b", "", "", false),
            ("{\"a\":1,\"b\":[2]}", "{ \"b\": [2], \"a\": 1 }", "", "", true),
            ("[1,2]", "[2,1]", "", "", false),
            (
                "--x\r\nA\r\n--x--", "--yy\r\nA\r\n--yy--", "multipart/form-data; boundary=x",
                "multipart/form-data; boundary=\"yy\"", true
            ),
            (
                "--x\r\nA\r\n--x--", "--yy\r\nB\r\n--yy--", "multipart/form-data; boundary=x",
                "multipart/form-data; Boundary=yy", false
            ),
        ])
    func bodies(first: String, second: String, type: String, other: String, areSame: Bool) {
        #expect(
            (request("POST", "http://a.test/", first, type: type)
                == request("POST", "http://a.test/", second, type: other)) == areSame)
    }

    @Test(
        "secrets are hidden by name, and nothing else is",
        arguments: [
            ("http://a.test/?key=1&b=key#key=3", "http://a.test/?key=(hidden)&b=key#key=(hidden)"),
            ("/?a=1&k%65y=1;2", "/?a=1&k%65y=(hidden)"),
            ("<http://a.test/?key=1>; rel=\"next\"", "<http://a.test/?key=(hidden)>; rel=\"next\""),
            ("key=1", "key=1"),
            ("/?monkey=1&keys=2&key", "/?monkey=1&keys=2&key"),
        ])
    func parameters(text: String, expected: String) {
        #expect(SecretNames(parameters: ["key"]).hidden(url: text) == expected)
    }

    @Test(
        "members of JSON and fields of forms are hidden",
        arguments: [
            ("{\"key\": \"a\\\"b\", \"b\": 1.0}", "", "{\"key\": \"(hidden)\", \"b\": 1.0}"),
            ("[{\"a\" : {\"k\\u0065y\" :[1, {\"c\": \"]\"}]}}]", "", "[{\"a\" : {\"k\\u0065y\" :\"(hidden)\"}}]"),
            ("{\"a\":{\"key\":null}}", "", "{\"a\":{\"key\":\"(hidden)\"}}"),
            ("{\"key\": 12}", "", "{\"key\": \"(hidden)\"}"),
            ("{\"a\": \"key\", \"b\": [\"key\"]}", "", "{\"a\": \"key\", \"b\": [\"key\"]}"),
            ("{\"key\": 1", "", "{\"key\": 1"),
            ("key=1&b=2", "application/x-www-form-urlencoded; charset=utf-8", "key=(hidden)&b=2"),
            ("key=1&b=2", "text/plain", "key=1&b=2"),
        ])
    func bodiesWithSecrets(text: String, type: String, expected: String) {
        let hidden = SecretNames(parameters: ["key"]).hidden(body: Array(text.utf8), type: type)
        #expect(String(decoding: hidden, as: UTF8.self) == expected)
    }

    @Test("what is written is read again")
    func roundTrip() throws {
        var recording = Recording()
        recording.method = "POST"
        recording.url = "http://a.test/x?a=b%20c"
        recording.requestFields = [("Content-Type", "text/plain"), ("Authorization", "Bearer 1")]
        recording.requestBody = [0xFF, 0]
        recording.started = 1_700_000_000_123
        recording.status = 200
        recording.version = "HTTP/2"
        recording.fields = [("Content-Type", "a/b"), ("X-A", "ä")]
        recording.body = Array("text \u{1F600} \0".utf8)
        recording.pieces = [Recording.Piece(wait: 1500, count: 4), Recording.Piece(wait: 0, count: 7)]
        recording.ending = .failure(.truncated, "cut")
        let document = try HARDocument(secrets: SecretNames(parameters: ["k"]), version: "1")
        document.append(recording)
        let text = try document.encoded()
        #expect(String(decoding: text, as: UTF8.self).contains("\"2023-11-14T22:13:20.123Z\""))
        let read = try HARDocument(reading: text)
        let found = try #require(read.recordings.first)
        #expect(read.recordings.count == 1 && read.secrets == SecretNames(parameters: ["k"]))
        #expect(found.method == "POST" && found.url == recording.url && found.requestBody == recording.requestBody)
        #expect(found.requestFields.map(\.value) == ["text/plain", SecretNames.mark])
        #expect(found.fields.map(\.value) == ["a/b", "ä"] && found.body == recording.body && found.status == 200)
        #expect(found.pieces == recording.pieces && found.ending == recording.ending)
    }

    @Test(
        "base64 is read as browsers write it, and refused otherwise",
        arguments: [
            ("", []), ("YQ==", [97]), ("YWI=", [97, 98]), ("YW\nJj", [97, 98, 99]), ("YQ", [97]), ("Y", nil),
            ("Y-==", nil), ("YQ==YQ==", nil),
        ] as [(String, [UInt8]?)])
    func base64(text: String, bytes: [UInt8]?) {
        #expect(Base64.decode(text) == bytes)
        if let bytes, !text.contains("\n"), text.count % 4 == 0 { #expect(Base64.encode(bytes) == text) }
    }

    @Test("each recording is replayed once and in order, and then as the mode says")
    func rule() {
        let (a, b) = (request(), request("PUT"))
        for mode in CassetteMode.allCases {
            for hadFile in [false, true] {
                var rule = CassetteRule(mode, hadFile ? [a, b, a] : [], hadFile: hadFile, repeats: false)
                let replays = hadFile && mode != .all
                #expect((rule.decide(a) == .replay(0)) == replays && (rule.decide(a) == .replay(2)) == replays)
                let records = mode == .all || mode == .new || (mode == .once && !hadFile)
                #expect((rule.decide(a) == .record) == records)
                #expect(rule.unused == (replays ? ["PUT http://a.test/"] : []))
            }
        }
        var rule = CassetteRule(.none, [a, a], hadFile: true, repeats: true)
        #expect((0..<3).map { _ in rule.decide(a) } == [.replay(0), .replay(1), .replay(1)])
        #expect(rule.replayed == 3)
    }

    @Test("bytes that are no archive are refused, and never crash", arguments: 0..<200)
    func damage(place: Int) throws {
        var recording = Recording()
        recording.url = "http://a.test/"
        recording.status = 200
        recording.requestBody = [1]
        recording.pieces = [Recording.Piece(wait: 1, count: 1)]
        let document = try HARDocument(secrets: SecretNames(headers: ["a"]), version: "1")
        document.append(recording)
        var text = try document.encoded()
        text[place * (text.count - 1) / 200] = UInt8(truncatingIfNeeded: place * 37)
        do throws(NetcoreError) {
            _ = try HARDocument(reading: text)
            _ = try HARDocument(reading: Array(text.prefix(place * 3)))
        } catch {
            #expect(error.code == .storage)
        }
    }
}
