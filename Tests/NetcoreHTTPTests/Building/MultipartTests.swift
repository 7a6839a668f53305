import NetcoreHTTP
import Testing

@Suite struct MultipartTests {
    private func head(_ part: Part, isFirst: Bool = true) -> String {
        String(decoding: Multipart.head(of: part, "b", isFirst: isFirst), as: UTF8.self)
    }

    /// Expectations: WHATWG HTML, "multipart/form-data encoding algorithm", whose names have each line break as CR and LF.
    @Test(
        "names are written as browsers do",
        arguments: [
            ("a", "a"), ("a b;c=d", "a b;c=d"), ("\"", "%22"), ("\\", "\\"), ("\r", "%0D%0A"), ("\n", "%0D%0A"),
            ("\r\n", "%0D%0A"), ("\n\r", "%0D%0A%0D%0A"), ("\r\r", "%0D%0A%0D%0A"), ("é€😀", "é€😀"), ("%22", "%22"),
            ("\r\u{301}", "%0D%0A\u{301}"), ("\"\u{301}", "%22\u{301}"),
        ])
    func names(given: String, expected: String) throws {
        #expect(
            try head(Part(given, .bytes([]))) == "--b\r\nContent-Disposition: form-data; name=\"\(expected)\"\r\n\r\n")
    }

    @Test(
        "line breaks of file names stay what they are",
        arguments: [("\r", "%0D"), ("\n", "%0A"), ("\r\n", "%0D%0A"), ("a\"b", "a%22b"), ("../x", "../x")])
    func fileNames(given: String, expected: String) throws {
        #expect(try head(Part("n", .bytes([]), fileName: given)).contains("; filename=\"\(expected)\"\r\n"))
    }

    @Test(
        "a file's name is the last segment of its path",
        arguments: [
            ("/a/b.txt", "b.txt"), ("b.txt", "b.txt"), ("/a/b/", "b"), ("/a/\u{301}b", "\u{301}b"), ("/a/b\\c", "b\\c"),
        ])
    func fileNameOfPath(path: String, expected: String) throws {
        let part = try Part("n", .file(path))
        #expect(part.fileName.map { Array($0.utf8) } == Array(expected.utf8))
        #expect(part.contentType == "application/octet-stream")
    }

    @Test("fields come in order, behind the type, and a part begins on a line of its own")
    func fields() throws {
        let part = try Part(
            "n", .bytes([]), fileName: "f", contentType: "text/plain", headers: [("X-B", "2"), ("X-A", "1")])
        let expected = """
            --b\r
            Content-Disposition: form-data; name="n"; filename="f"\r
            Content-Type: text/plain\r
            X-B: 2\r
            X-A: 1\r
            \r\n
            """
        #expect(head(part) == expected)
        #expect(head(part, isFirst: false) == "\r\n" + expected)
    }

    @Test("a part without a file name has no type of its own")
    func type() throws {
        #expect(try Part("n", .bytes([])).contentType == nil)
        #expect(try Part("n", .bytes([]), fileName: "f").contentType == "application/octet-stream")
    }

    @Test("the end of no parts is an end, too")
    func end() {
        #expect(Multipart.end("b", isEmpty: false) == Array("\r\n--b--\r\n".utf8))
        #expect(Multipart.end("b", isEmpty: true) == Array("--b--\r\n".utf8))
    }

    @Test("boundaries differ, and are made of what needs no quotes")
    func boundaries() {
        let made = Set((0..<100).map { _ in Multipart.makeBoundary() })
        #expect(made.count == 100)
        #expect(
            made.allSatisfy {
                $0.utf8.count <= 70 && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
            })
    }

    @Test(
        "fields that are the part's own, or no fields, are refused",
        arguments: [
            ("Content-Type", "a/b"), ("content-disposition", "x"), ("Content-Length", "1"),
            ("Content-Transfer-Encoding", "x"),
            ("X Y", "1"), ("", "1"), ("X", "1\r\nY: 2"), ("X", "\u{0}"), ("X:", "1"),
        ])
    func refused(name: String, value: String) {
        let error = #expect(throws: NetcoreError.self) { try Part("n", .bytes([]), headers: [(name, value)]) }
        #expect(error?.code == .invalidHeader)
    }
}
