internal import NetcoreSupport
internal import Synchronization

/// What a cache did, for all its clients.
final class CacheCounters: Sendable {
    private let hits = Atomic<Int>(0)
    private let staleHits = Atomic<Int>(0)
    private let revalidations = Atomic<Int>(0)
    private let misses = Atomic<Int>(0)
    private let stored = Atomic<Int>(0)
    private let bytesSaved = Atomic<Int>(0)

    func count(_ result: CacheResult, bytes: Int) {
        switch result {
        case .hit: hits.wrappingAdd(1, ordering: .relaxed)
        case .staleHit: staleHits.wrappingAdd(1, ordering: .relaxed)
        case .revalidated: revalidations.wrappingAdd(1, ordering: .relaxed)
        case .none, .unsatisfiable: return
        default:
            misses.wrappingAdd(1, ordering: .relaxed)
            return
        }
        bytesSaved.wrappingAdd(bytes, ordering: .relaxed)
    }

    func countStored() { stored.wrappingAdd(1, ordering: .relaxed) }

    func fill(_ statistics: inout Cache.Statistics) {
        statistics.hits = hits.load(ordering: .relaxed)
        statistics.staleHits = staleHits.load(ordering: .relaxed)
        statistics.revalidations = revalidations.load(ordering: .relaxed)
        statistics.misses = misses.load(ordering: .relaxed)
        statistics.stored = stored.load(ordering: .relaxed)
        statistics.bytesSaved = bytesSaved.load(ordering: .relaxed)
    }
}
