/// Which of several stubs answers a request: a pure rule.
package enum StubSearch {
    package struct Candidate: Sendable {
        package let pattern: StubPattern
        /// It has answered as often as it may.
        package let isUsedUp: Bool

        package init(_ pattern: StubPattern, isUsedUp: Bool) {
            self.pattern = pattern
            self.isUsedUp = isUsedUp
        }

        fileprivate func differences(from request: StubRequest) -> [StubDifference] {
            pattern.differences(from: request) + (isUsedUp ? [StubDifference(.used)] : [])
        }
    }

    /// The first one that matches and may answer.
    package static func find(_ request: StubRequest, among candidates: [Candidate]) -> Int? {
        candidates.firstIndex { !$0.isUsedUp && $0.pattern.differences(from: request).isEmpty }
    }

    /// Why none does: the nearest stub, and in what the request differs from it.
    package static func explain(_ request: StubRequest, among candidates: [Candidate]) -> String {
        var text = "no stub for \(request.method) \(request.place)"
        var best: (cost: Int, differences: [StubDifference], pattern: StubPattern)?
        for candidate in candidates {
            let differences = candidate.differences(from: request)
            let cost = differences.reduce(0) { $0 + $1.cost }
            if cost < best?.cost ?? .max { best = (cost, differences, candidate.pattern) }
        }
        guard let best else { return text + ": there are no stubs" }
        text += "; the nearest of \(candidates.count) is \(best.pattern): "
        return text + best.differences.map(\.text).joined(separator: "; ")
    }
}
