/// Which of several services takes the place of one that is left.
package enum ServiceChoice {
    /// Those with a weight come first, and are drawn in proportion to it; the others in their order.
    ///
    /// - Parameters:
    ///   - weights: of those that may be used, in their order; 0 for none.
    ///   - random: a number of [0, 1).
    /// - Returns: the index; nil if there are none.
    package static func next(_ weights: [Int], random: Double) -> Int? {
        let total = weights.reduce(0, +)
        guard total > 0 else { return weights.indices.first }
        var rest = random * Double(total)
        for (index, weight) in weights.enumerated() where weight > 0 {
            if rest < Double(weight) { return index }
            rest -= Double(weight)
        }
        return weights.lastIndex { $0 > 0 }
    }
}
