internal import NetcoreHTTP
internal import NetcoreSupport

/// Tells how far a download has come, at most once in a while.
struct DownloadMeter {
    var tell: (DownloadProgress) -> Void = { _ in }
    private var progress = DownloadProgress()
    private var rate = DownloadRate(now: .now)
    private let interval: Int
    private var due = MonotonicTime.now
    /// Bytes that are there.
    private var size: Int64 = 0

    /// - Parameter interval: in milliseconds.
    init(interval: Int) { self.interval = interval }

    /// Begins with bytes that are there.
    mutating func begin(_ size: Int, of total: Int64?) {
        progress.size = size
        progress.resumedFrom = size
        self.size = Int64(size)
        setTotal(total)
    }

    mutating func setTotal(_ total: Int64?) { progress.total = total.map { Int($0) } }

    /// Whether what is left takes so long at this rate that more connections pay. Not while the rate is not known.
    var isLongToGo: Bool {
        guard let total = progress.total else { return false }
        return rate.milliseconds(for: Int64(total) - size).map { $0 > 2000 } ?? false
    }

    /// So many bytes have come.
    mutating func add(_ count: Int, _ size: Int64) {
        let now = MonotonicTime.now
        rate.add(count, now: now)
        self.size = size
        guard now >= due else { return }
        due = now.adding(milliseconds: interval)
        report(size)
    }

    /// All have come.
    mutating func end(_ size: Int64) {
        progress.total = Int(size)
        report(size)
    }

    private mutating func report(_ size: Int64) {
        progress.size = Int(size)
        progress.bytesPerSecond = rate.bytesPerSecond.map { Int($0) }
        let rest = progress.total.map { Int64(max($0 - progress.size, 0)) }
        progress.timeLeft = rest.flatMap { rate.milliseconds(for: $0) }.map { .milliseconds($0) }
        tell(progress)
    }
}
