internal import NetcoreHTTP
internal import NetcoreSupport

/// A range of a download that is on its way, by one request after another until all of it has come. Confined to the download's thread.
final class DownloadSegment {
    /// The body of an answer that was accepted.
    struct Body {
        /// Where in the file its next byte belongs. Before ``DownloadSegment/next`` it is one that came before.
        var offset: Int64
        /// Where it ends; nil if that is not known.
        let end: Int64?
    }

    /// The first byte that has not come.
    var next: Int64
    /// Where it ends; nil: where the file does.
    var end: Int64?
    /// What was asked for last, and the response to it while there is one.
    var ask = DownloadRule.Ask(start: 0)
    var stream: ResponseStream?
    var body: Body?
    /// It asks again then.
    var due: MonotonicTime?
    /// Times that a transfer broke off, since ``base``.
    var resumes = 0
    private var base: Int64
    /// Bytes since the pace of segments was last compared; nil if the body began after that.
    var recent: Int64?
    /// Times that it got another connection, because the one it had was slow.
    var renewals = 0

    init(_ range: (start: Int64, end: Int64?)) {
        next = range.start
        end = range.end
        base = next
    }

    /// What is left of it, of a file of so many bytes.
    func rest(of total: Int64) -> Range<Int64> { next..<max(next, end ?? total) }

    /// The body that comes is longer than what is wanted.
    var isCut: Bool {
        guard let end, let body else { return false }
        return end < body.end ?? .max
    }

    /// How many bytes to read, at most `most`. More than are wanted only to see that there are none.
    func wanted(of most: Int) -> Int {
        guard isCut, let end else { return most }
        return Int(min(Int64(most), end - next))
    }

    /// Bytes that are new have come.
    func advance(_ count: Int) {
        next += Int64(count)
        recent = recent.map { $0 + Int64(count) }
        if next - base >= 1 << 20 {
            base = next
            resumes = 0
        }
    }

    /// It brings other bytes from now on.
    func move(to start: Int64, _ end: Int64?) {
        next = start
        self.end = end
        base = start
    }
}
