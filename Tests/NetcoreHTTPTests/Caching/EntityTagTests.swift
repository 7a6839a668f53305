import NetcoreHTTP
import Testing

@Suite struct EntityTagTests {
    private func tag(_ text: String) -> EntityTag? { Array(text.utf8).withUnsafeBytes { EntityTag($0) } }

    @Test(
        "the comparisons of RFC 9110 section 8.8.3.2",
        arguments: [
            ("W/\"1\"", "W/\"1\"", false, true), ("W/\"1\"", "W/\"2\"", false, false),
            ("W/\"1\"", "\"1\"", false, true), ("\"1\"", "\"1\"", true, true),
        ])
    func comparison(left: String, right: String, strong: Bool, weak: Bool) throws {
        let (left, right) = (try #require(tag(left)), try #require(tag(right)))
        #expect(left.stronglyEquals(right) == strong && right.stronglyEquals(left) == strong)
        #expect(left.weaklyEquals(right) == weak && right.weaklyEquals(left) == weak)
    }

    @Test(
        "tags keep their bytes",
        arguments: ["\"\"", "\"a,b\"", "\"a\\\"", "W/\"x\"", "\"é\"", "abc", "W/abc"])
    func kept(text: String) { #expect(tag(text).map { String(decoding: $0.bytes, as: UTF8.self) } == text) }

    @Test(
        "what is no tag",
        arguments: ["", "*", "\"a b\"", "\"a", "a\"", "\"a\"b", "a,b", "a b", "w/\"a\"", "\"a\", \"b\""])
    func broken(text: String) { #expect(tag(text) == nil) }

    @Test("a tag without quotes is weak")
    func unquoted() { #expect(tag("abc")?.isWeak == true && tag("\"abc\"")?.isWeak == false) }

    @Test("If-None-Match is a list, over all field lines")
    func list() throws {
        let found = EntityTagCondition(
            block("If-None-Match: \"a,1\" , W/\"b\",, x, \"c\"", "If-None-Match: \"d\""), "if-none-match")
        let texts = try #require(found).tags.map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(texts == ["\"a,1\"", "W/\"b\"", "\"c\"", "\"d\""])
        #expect(EntityTagCondition(block("If-None-Match: * "), "if-none-match") == .any)
        #expect(EntityTagCondition(block(), "if-none-match") == nil)
    }

    @Test("a list matches by weak comparison, and the star whatever is stored")
    func matches() throws {
        let list = try #require(EntityTagCondition(block("If-None-Match: W/\"a\", \"b\""), "if-none-match"))
        #expect(list.matches(tag("\"a\"")) && list.matches(tag("W/\"b\"")))
        #expect(!list.matches(tag("\"c\"")) && !list.matches(nil))
        #expect(EntityTagCondition.any.matches(nil))
    }

    @Test("Last-Modified is strong when it lies before Date")
    func strength() {
        #expect(Validators(block("Last-Modified: \(date(-1))", "Date: \(date())"), now: noon).isLastModifiedStrong)
        #expect(!Validators(block("Last-Modified: \(date())", "Date: \(date())"), now: noon).isLastModifiedStrong)
        #expect(!Validators(block("Last-Modified: \(date(-1))"), now: noon).isLastModifiedStrong)
        #expect(Validators(block("Last-Modified: yesterday"), now: noon).isEmpty)
    }
}
