import NetcoreHTTP
import Testing

@Suite struct PathTemplateTests {
    @Test(
        "values go in as one segment each",
        arguments: [
            ("/users/{id}", [("id", "7")], "/users/7"),
            ("/users/{id}/posts/{post}", [("post", "a b"), ("id", "é")], "/users/%C3%A9/posts/a%20b"),
            ("/{a}{b}", [("a", "x/y"), ("b", "?#&=+%")], "/x%2Fy%3F%23%26%3D%2B%25"),
            ("/{v}", [("v", "-._~")], "/-._~"),
            ("/{id}/{id}", [("id", "1")], "/1/1"),
            ("/plain", [], "/plain"),
        ] as [(String, [(String, String)], String)])
    func expands(template: String, values: [(String, String)], expected: String) throws {
        #expect(try PathTemplate.expand(template, values.map { (name: $0.0, value: $0.1) }) == expected)
    }

    @Test(
        "templates and values that do not fit are refused, by name",
        arguments: [
            ("/{id", [("id", "1")], "brace"), ("/id}", [("id", "1")], "brace"), ("/{}", [("id", "1")], "brace"),
            ("/{{id}}", [("id", "1")], "{"), ("/{a b}", [("a b", "1")], "{a b}"), ("/{id}", [], "{id}"),
            ("/{id}", [("id", "")], "{id}"), ("/{id}", [("id", "..")], "{id}"), ("/{id}", [("id", ".")], "{id}"),
            ("/plain", [("id", "1")], "{id}"),
        ] as [(String, [(String, String)], String)])
    func refuses(template: String, values: [(String, String)], named: String) {
        let error = #expect(throws: NetcoreError.self) {
            try PathTemplate.expand(template, values.map { (name: $0.0, value: $0.1) })
        }
        #expect(error?.code == .invalidURL)
        #expect(error?.message.contains(named) == true)
    }
}
