import Testing

@testable import NetcoreSupport

@Suite struct SuggestionTests {
    @Test(
        "the nearest known name is suggested, none that is far",
        arguments: [
            ("releas", "release"), ("RELEASE", "release"), ("tets", nil), ("tes", "test"), ("testing", nil),
            ("prodution", "production"), ("x", nil), ("", nil), ("test", "test"),
        ] as [(String, String?)])
    func nearest(given: String, expected: String?) {
        #expect(Suggestion.nearest(to: given, among: ["release", "test", "production"]) == expected)
    }

    @Test("of two the nearer is suggested, of equally near ones the first")
    func order() {
        #expect(Suggestion.nearest(to: "service1", among: ["service", "servicex1", "service2"]) == "service")
        #expect(Suggestion.nearest(to: "service21", among: ["service", "service2"]) == "service2")
    }

    @Test("a name of any length is compared within bounds")
    func long() {
        let long = String(repeating: "a", count: 1_000_000)
        #expect(Suggestion.ending(for: long, among: [long + "b", "a"]) == "")
        #expect(Suggestion.ending(for: "ap", among: ["api"]) == "; did you mean \"api\"?")
    }
}
