import NetcoreHTTP
import Testing

@Suite struct VaryTests {
    private func match(_ vary: [String], _ stored: [String], _ asked: [String]) -> Bool {
        let vary = Vary(block(vary.map { ("Vary", $0) }))
        return vary.matches(vary.key(block(stored)), block(asked))
    }

    @Test(
        "a variant matches when all fields of Vary are equal in the two requests",
        arguments: [
            (["Foo"], ["Foo: 1"], ["Foo: 1"], true), (["Foo"], ["Foo: 1"], ["Foo: 2"], false),
            (["Foo"], ["Foo: 1"], [], false), (["Foo"], [], ["Foo: 1"], false), (["Foo"], [], [], true),
            (["Foo"], [], ["Foo: "], false), (["Foo"], ["Foo: 1", "Other: 2"], ["Foo: 1", "Other: 3"], true),
            (["FOO"], ["foo: 1"], ["Foo: 1"], true), (["Foo"], ["Foo: a"], ["Foo: A"], false),
            (["Foo, Bar"], ["Foo: 1", "Bar: abc"], ["Bar: abc", "Foo: 1"], true),
            (["Foo, Bar"], ["Foo: 1", "Bar: abc"], ["Foo: 1", "Bar: abcd"], false),
            (["Foo", "Bar"], ["Foo: 1", "Bar: 2"], ["Foo: 1"], false), (["Foo, Foo"], ["Foo: 1"], ["Foo: 1"], true),
            (["Foo, Bar"], ["Foo: 1", "Bar: 2"], ["Foo: 2", "Bar: 1"], false), ([""], [], ["Foo: 1"], true),
            ([], [], [], true),
        ] as [([String], [String], [String], Bool)])
    func matches(vary: [String], stored: [String], asked: [String], expected: Bool) {
        #expect(match(vary, stored, asked) == expected)
    }

    @Test(
        "a star in any place matches no request",
        arguments: [["*"], ["Foo, *"], ["*, Foo"], ["Foo", "*"], [" * "], ["Foo bar"], ["\"Foo\""]])
    func star(vary: [String]) { #expect(!match(vary, ["Foo: 1", "*: 1"], ["Foo: 1", "*: 1"])) }

    @Test(
        "values are made equal where the field's syntax says that they are",
        arguments: [
            ("Accept-Encoding", ["gzip, br"], ["gzip,br"], true),
            ("Accept-Encoding", ["gzip, br"], ["GZIP , , Br"], true),
            ("Accept-Encoding", ["gzip", "br"], ["gzip, br"], true),
            ("Accept-Encoding", ["gzip;q=1"], ["gzip; Q=1"], true),
            ("Accept-Encoding", ["gzip, br"], ["br, gzip"], false), ("Accept-Language", ["de, EN"], ["De,en"], true),
            ("Accept-Language", ["de, en"], ["en, de"], true), ("Accept-Language", ["de", "en"], [" EN ,   de"], true),
            ("Accept-Language", ["de;q=0.1, en"], ["de, en;q=0.1"], false), ("Accept-Language", ["de"], [""], false),
            ("Accept-Language", ["de, en"], ["de, en, en"], false), ("Accept-Language", [""], [], false),
            ("Accept", ["Text/HTML"], ["text/html"], true),
            ("Accept", ["text/html;charset=a"], ["TEXT/html; charset=a"], true),
            ("Accept", ["text/x;v=a"], ["text/x;v=A"], false), ("Accept", ["a/b;c=\"D, e\""], ["a/b;c=\"D,e\""], false),
            ("Accept", ["a/b", "c/d"], ["a/b,c/d"], true), ("Foo", ["1", "2"], ["1, 2"], true),
            ("Foo", ["1, 2"], ["1,2"], true), ("Foo", ["1 ,\t2"], ["1, 2"], true), ("Foo", ["1", "2"], ["1 ,2"], true),
            ("Foo", ["\"1, 2\""], ["\"1,2\""], false), ("Foo", ["\"\\\", \"1, 2"], ["\"\\\", \"1,2"], true),
            ("Foo", ["\"\\\\\"1, 2"], ["\"\\\\\"1,2"], true), ("Foo", ["1 2"], ["12"], false),
            ("Foo", ["1,,2"], ["1,2"], false),
            ("Foo", [" 1 "], ["1"], true), ("User-Agent", ["a  b"], ["a b"], false),
            ("Foo", ["é"], ["è"], false), ("Foo", ["%C3"], ["Ã"], false), ("Foo", ["é"], ["é"], true),
        ])
    func normalized(name: String, stored: [String], asked: [String], expected: Bool) {
        #expect(match([name], stored.map { "\(name): \($0)" }, asked.map { "\(name): \($0)" }) == expected)
    }

    @Test("no value can pass for another field")
    func unambiguous() {
        let vary = Vary(block("Vary: a, b"))
        #expect(vary.key(block("a: 1\tb=1:2")) != vary.key(block("a: 1", "b: 2")))
        #expect(Vary(block("Vary: b, a")).key(block("a: 1")) == vary.key(block("a: 1")))
    }
}

@Suite struct VariantSelectionTests {
    @Test("the most recent of several matching answers comes first")
    func recent() {
        let variants = [
            variant("Date: \(date(-10))"), variant("Date: \(date(-5))"), variant("Date: \(date(-20))"),
        ]
        #expect(VariantSelection.matches(variants, block()) == [1, 0, 2])
    }

    @Test("of answers with the same Date the one that came last is preferred")
    func arrival() {
        let variants = [variant("Date: \(date())"), variant("Date: \(date())", at: seconds(1))]
        #expect(VariantSelection.matches(variants, block()) == [1, 0])
    }

    @Test("an answer without Vary, which may be a mistake, comes after those that have one")
    func withoutVary() {
        let german = block("Accept-Language: de")
        let variants = [
            variant("Date: \(date())"), variant("Date: \(date(-9))", "Vary: Accept-Language", for: german),
        ]
        #expect(VariantSelection.matches(variants, german) == [1, 0])
        #expect(VariantSelection.matches(variants, block("Accept-Language: en")) == [0])
    }

    @Test("variants with other Vary fields stay apart")
    func various() {
        let asked = block("Foo: 1", "Bar: 1")
        let variants = [
            variant("Vary: Foo", for: block("Foo: 2")), variant("Vary: Bar", for: block("Foo: 2", "Bar: 1")),
            variant("Vary: *", for: asked),
        ]
        #expect(VariantSelection.matches(variants, asked) == [1])
    }
}
