import NetcoreHTTP
import Testing

/// What stands for equal requests.
@Suite struct RequestKeyTests {
    private func key(_ add: (inout RequestKeyText) -> Void) -> RequestKey {
        var text = RequestKeyText()
        add(&text)
        return text.key
    }

    @Test("the same values have the same key, and others have others, wherever one ends and the next begins")
    func rows() {
        let rows = [["ab", "c"], ["a", "bc"], ["abc"], ["abc", ""], ["", "abc"], []]
        let keys = rows.map { row in key { text in row.forEach { text.add($0) } } }
        #expect(Set(keys).count == rows.count)
        #expect(
            key {
                $0.add("ab"); $0.add("c")
            } == keys[0])
    }

    @Test("names are compared without case, in ASCII only")
    func names() {
        #expect(key { $0.add(lowercasing: "Accept-Ü[") } == key { $0.add(lowercasing: "aCCEPT-Ü[") })
        #expect(key { $0.add(lowercasing: "[") } != key { $0.add(lowercasing: "{") })
        #expect(key { $0.add(lowercasing: "Ü") } != key { $0.add(lowercasing: "ü") })
        #expect(key { $0.add("A") } != key { $0.add("a") })
    }

    @Test("a key of many requests is not that of another")
    func many() {
        #expect(Set((0..<20_000).map { number in key { $0.addNumber(number) } }).count == 20_000)
    }
}
