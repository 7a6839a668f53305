extension String {
    /// What stands between separators, as in the tables of cases. The last part has the rest.
    public func parts(of separator: String, atMost count: Int = .max) -> [String] {
        var result: [String] = []
        var rest = self[...]
        while result.count < count - 1, let range = rest.firstRange(of: separator) {
            result.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return result + [String(rest)]
    }
}
