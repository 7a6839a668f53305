/// What a cassette does with requests that it has no recording of, as vcrpy's record modes.
public enum CassetteMode: Int32, Sendable, CaseIterable {
    /// Records if there was no file; with a file, a request without a recording fails.
    case once = 0
    /// Replays what is recorded, and records the rest.
    case new = 1
    /// Records nothing: a request without a recording fails.
    case none = 2
    /// Replays nothing: everything is recorded anew, and takes the place of what the file had.
    case all = 3
}

/// Which recording answers a request: a pure rule. Recordings of equal requests are replayed in their order, each once.
package struct CassetteRule: Sendable {
    package enum Decision: Sendable, Equatable {
        /// The number of a recording.
        case replay(Int)
        case record
        /// There is none, and none is to be made: the message says what differs.
        case refuse(String)
    }

    private let requests: [RecordedRequest]
    private let records: Bool
    private let repeats: Bool
    private var places: [RecordedRequest: [Int]] = [:]
    /// How often each was replayed.
    private(set) var counts: [Int]

    /// - Parameters:
    ///   - requests: those of the recordings that were read, in their order.
    ///   - hadFile: whether there was a file.
    ///   - repeats: whether the last recording of a request is replayed again and again.
    package init(_ mode: CassetteMode, _ requests: [RecordedRequest], hadFile: Bool, repeats: Bool) {
        self.requests = mode == .all ? [] : requests
        self.repeats = repeats
        records =
            switch mode {
            case .once: !hadFile
            case .new, .all: true
            case .none: false
            }
        counts = Array(repeating: 0, count: self.requests.count)
        for (index, request) in self.requests.enumerated() { places[request, default: []].append(index) }
    }

    package mutating func decide(_ request: RecordedRequest) -> Decision {
        let own = places[request] ?? []
        if let index = own.first(where: { counts[$0] == 0 }) ?? (repeats ? own.last : nil) {
            counts[index] += 1
            return .replay(index)
        }
        return records ? .record : .refuse(explanation(of: request, own))
    }

    /// The names of the recordings that no request asked for.
    package var unused: [String] { requests.indices.filter { counts[$0] == 0 }.map { requests[$0].name } }

    package var replayed: Int { counts.reduce(0, +) }

    private func explanation(of request: RecordedRequest, _ own: [Int]) -> String {
        var text = "no recording of \(request.method) \(request.url.prefix { $0 != "?" })"
        guard own.isEmpty else {
            return text
                + (own.count == 1 ? ": the one there is has been replayed" : ": all \(own.count) have been replayed")
        }
        let all = requests.map { (request: $0, differences: $0.differences(from: request)) }
        let nearest = all.min { first, second in
            first.differences.reduce(0) { $0 + $1.cost } < second.differences.reduce(0) { $0 + $1.cost }
        }
        guard let nearest else { return text + ": the cassette is empty" }
        text += "; the nearest of \(requests.count) is \(nearest.request.name): "
        return text + nearest.differences.map(\.text).joined(separator: "; ")
    }
}
