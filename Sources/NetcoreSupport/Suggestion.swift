/// What an unknown name may have been meant for. Messages suggest it.
package enum Suggestion {
    /// Longer names are not compared: the work grows with the product of the lengths.
    private static let longest = 64

    /// The end of a message: `; did you mean "api"?` with the nearest of the known names, or nothing if none is near.
    package static func ending(for name: String, among known: some Sequence<String>) -> String {
        nearest(to: name, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
    }

    /// The known name that the fewest changes of a byte make of the name, ignoring case: at most one for three bytes.
    package static func nearest(to name: String, among known: some Sequence<String>) -> String? {
        let given = Array(name.lowercased().utf8)
        var best: (name: String, changes: Int)?
        for candidate in known where candidate.utf8.count <= longest && given.count <= longest {
            let changes = distance(given, Array(candidate.lowercased().utf8))
            if changes <= (given.count + 1) / 3, changes < best?.changes ?? .max { best = (candidate, changes) }
        }
        return best?.name
    }

    /// How many bytes have to be inserted, removed or replaced (Levenshtein).
    package static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
        var row = Array(0...second.count)
        for (index, byte) in first.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in second.enumerated() {
                let replaced = diagonal + (byte == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[second.count]
    }
}
