internal import NetcoreHTTP
internal import NetcoreStorage
internal import NetcoreSupport

/// One download, from the part that is there to the file in its place. Confined to its thread.
///
/// It asks for what is missing, by one segment or several, as long as a transfer breaks off and another may follow. ``DownloadRule``
/// says for what, and what an answer is good for; ``SegmentRule`` who brings what.
final class Download {
    let job: DownloadRun
    var known: Representation?
    var info = DownloadInfo()
    private var head: Response?
    private var attempts = 0
    var segments: [DownloadSegment] = []
    /// The most segments.
    var limit: Int
    /// A part was asked for, and came.
    var isProven = false
    /// An answer was accepted.
    var hasAnswer = false
    var usesIfMatch = false
    /// Times that what was there was given up since the last bytes that were new.
    private var restarts = 0
    /// The most bytes that were ever there.
    private var highest: Int64 = 0
    private let rule: SegmentRule
    private var pace = SegmentPace(now: .now)
    private let deadline: MonotonicTime?
    var meter: DownloadMeter
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)

    init(_ job: DownloadRun) {
        self.job = job
        info.path = job.paths.target
        limit = job.options.segments
        rule = SegmentRule(size: job.options.segmentSize.map { Int64($0) } ?? SegmentRule.defaultSize)
        let total = job.request.taking(job.client.engine.parts.settings.current.requestDefaults).timeoutSet.total
        deadline = total > 0 ? MonotonicTime.now.adding(milliseconds: total) : nil
        meter = DownloadMeter(interval: job.progressInterval ?? 100)
    }

    deinit { room.deallocate() }

    /// Runs to the end.
    func run(_ tell: @escaping (DownloadProgress) -> Void) -> Response {
        meter.tell = tell
        var failure: NetcoreError?
        do throws(NetcoreError) {
            try download()
        } catch {
            failure = error
        }
        let response = head.map { Response(headOf: $0) } ?? Response()
        response.attempts = attempts
        response.userInfoBox = job.request.options.userInfo
        response.error = failure
        response.downloadBox = DownloadInfoBox(info)
        return response
    }

    private func download() throws(NetcoreError) {
        try onDisk { () throws(FileFailure) in try job.paths.check(replaces: job.options.replacesFile) }
        let part = try onDisk { () throws(FileFailure) in
            try PartFile(job.paths, isSynced: job.options.isSynced)
        }
        let file = DownloadFile(part, job)
        do throws(NetcoreError) {
            try fetch(file)
            try file.finish(known)
        } catch {
            file.leave()
            info.size = Int(part.size)
            if error.code == .integrity {
                info.size = 0
                part.remove()
            }
            throw error
        }
        info.isComplete = true
        info.size = Int(part.size)
        info.sha256 = file.digestText
    }

    // MARK: Segments

    private func fetch(_ file: DownloadFile) throws(NetcoreError) {
        known = file.representation
        if known != nil { info.resumedFrom = Int(file.size) }
        highest = file.size
        meter.begin(info.resumedFrom, of: known?.length)
        defer { closeAll() }
        while !isDone(file) {
            try job.checkCanceled()
            openSegments(file)
            var hasMoved = false
            for segment in segments where segments.contains(where: { $0 === segment }) {
                do throws(NetcoreError) {
                    if try move(segment, file) { hasMoved = true }
                } catch {
                    try resume(segment, after: error, file)
                    hasMoved = true
                }
            }
            renewSlow()
            if !hasMoved { try job.wait(until: nextTime) }
        }
        meter.end(file.size)
    }

    private func isDone(_ file: DownloadFile) -> Bool { hasAnswer && segments.isEmpty && known?.length == file.size }

    /// Gives work to as many segments as may be.
    private func openSegments(_ file: DownloadFile) {
        if segments.isEmpty { segments.append(DownloadSegment(firstRange(file))) }
        guard isProven, let total = known?.length, known?.validator != nil else { return }
        while segments.count < limit, job.options.segmentSize != nil || meter.isLongToGo {
            let rests = segments.map { $0.rest(of: total) }
            switch rule.work(file.present, of: total, rests: rests, idle: limit - segments.count) {
            case .gap(let gap): segments.append(DownloadSegment((gap.lowerBound, gap.upperBound)))
            case .half(let half, let index):
                segments[index].end = half.lowerBound
                segments.append(DownloadSegment((half.lowerBound, half.upperBound)))
            case nil: return
            }
        }
    }

    /// What the only segment is to bring.
    private func firstRange(_ file: DownloadFile) -> (start: Int64, end: Int64?) {
        guard let known else { return (0, limit > 1 ? rule.size : nil) }
        guard let total = known.length, let gap = file.present.gaps(upTo: total).first else { return (file.size, nil) }
        if limit > 1 { return (gap.lowerBound, min(gap.upperBound, gap.lowerBound + rule.size)) }
        return (gap.lowerBound, gap.upperBound == total ? nil : gap.upperBound)
    }

    /// Takes a segment as far as it goes for now. False if that is nowhere.
    private func move(_ segment: DownloadSegment, _ file: DownloadFile) throws(NetcoreError) -> Bool {
        if let due = segment.due {
            guard due <= .now else { return false }
            segment.due = nil
        }
        guard let stream = segment.stream else {
            try send(segment, file)
            return true
        }
        guard segment.body == nil else { return try receive(segment, stream, file) }
        guard let head = try found(stream.head(until: patience)) else { return false }
        self.head = head
        attempts += head.attempts
        try judge(head, segment, file)
        return true
    }

    /// There is nothing else to do than to wait for the only segment.
    private var isWaiting: Bool { segments.count == 1 && pace.typical == nil }

    var patience: MonotonicTime { isWaiting ? .never : .now }

    /// When to look at segments of which nothing has come.
    private var nextTime: MonotonicTime {
        let dues = segments.compactMap(\.due)
        return (dues.count < segments.count ? dues + [pace.due] : dues).min() ?? .never
    }

    /// Gives segments that are much slower than the others another connection.
    private func renewSlow() {
        guard let slow = pace.slow(segments.map(\.recent), now: .now) else { return }
        for (index, segment) in segments.enumerated() {
            if slow.contains(index), segment.renewals < SegmentPace.renewals {
                segment.renewals += 1
                drop(segment)
            }
            segment.recent = segment.body == nil ? nil : 0
        }
    }

    /// What a wait for it has brought: nothing at the end of the process, unless it did not wait.
    func found<Value>(_ value: Value?) throws(NetcoreError) -> Value? {
        if value == nil, isWaiting { throw Intake.exitError }
        return value
    }

    private func send(_ segment: DownloadSegment, _ file: DownloadFile) throws(NetcoreError) {
        let isVerified = job.options.expectedSHA256 != nil
        if !(known.map { DownloadRule.continues($0, isVerified: isVerified) } ?? false) {
            // What came is of no use.
            known = nil
            let range = firstRange(file)
            segment.move(to: range.start, range.end)
            info.resumedFrom = 0
        }
        let end = segment.end == known?.length && limit == 1 ? nil : segment.end
        segment.ask = DownloadRule.ask(from: segment.next, to: end, of: known, usesIfMatch: usesIfMatch)
        info.requests += 1
        segment.stream = try job.open(try request(segment.ask))
    }

    private func request(_ ask: DownloadRule.Ask) throws(NetcoreError) -> Request {
        var request = job.request
        for (name, value) in DownloadRule.fields(of: ask, known) { try request.setHeader(name, value) }
        // A file is as long as it is, unless the request says otherwise.
        var limits = request.limits
        limits.bodyBytes = limits.bodyBytes ?? .max
        limits.decodedBytes = limits.decodedBytes ?? .max
        request.limits = limits
        request.options.progressInterval = nil
        request.clearRules()
        var cache = request.cacheOptions
        cache.mode = .ignore
        request.cacheOptions = cache
        if let deadline {
            let left = deadline.microseconds(since: .now) / 1000
            guard left > 0 else { throw NetcoreError(.timeoutTotal, phase: .receive) }
            request.timeouts.total = .milliseconds(left)
        }
        return request
    }

    /// Ends the request of a segment, which asks for what is missing, if it has not come to its end.
    func close(_ segment: DownloadSegment) {
        if let stream = segment.stream.take() { job.close(stream) }
        segment.body = nil
        segment.recent = nil
    }

    /// Closes it while bytes are on their way, which another request brings.
    func drop(_ segment: DownloadSegment) {
        let surplus = segment.stream?.waitingBytes ?? 0
        info.fetched += surplus
        info.fetchedAgain += surplus
        close(segment)
    }

    /// The segment has nothing to do.
    func remove(_ segment: DownloadSegment) {
        close(segment)
        segments.removeAll { $0 === segment }
    }

    func closeAll() {
        for segment in segments { close(segment) }
        segments = []
    }

    // MARK: When it does not go on

    /// What is there is of no use; once, unless new bytes come. By one request from now on.
    func startOver() throws(NetcoreError) {
        restarts += 1
        guard restarts <= 1 else {
            throw NetcoreError(
                .protocol, "the parts that the server sends do not fit together", phase: .receive)
        }
        closeAll()
        known = nil
        usesIfMatch = false
        limit = 1
    }

    /// The transfer broke off. Asks again after a while, or gives up.
    private func resume(
        _ segment: DownloadSegment, after error: NetcoreError, _ file: DownloadFile
    ) throws(NetcoreError) {
        try job.checkCanceled()
        let hasBody = segment.body != nil
        close(segment)
        // Only the end of the message is missing.
        if let end = segment.end, segment.next >= end { return remove(segment) }
        // A server may allow fewer connections, and the others bring all the same.
        if segments.count > 1, !hasBody, Self.isOfServer(error) {
            remove(segment)
            limit = segments.count
            return
        }
        // What fails before there is a head is the policy of retries' to try again, and so is an answer without a file.
        guard file.size > 0 || head != nil && error.code != .httpStatus,
            DownloadRule.isWorthResuming(error.code, status: Int(error.nativeCode)),
            segment.resumes < job.options.resumes
        else { throw error }
        segment.resumes += 1
        let longest = DownloadRule.longestWait(before: segment.resumes)
        let wait = max(Int64.random(in: 0...longest), error.code == .httpStatus ? retryAfter : 0)
        let time = MonotonicTime.now.adding(milliseconds: Int(wait))
        if let deadline, deadline <= time { throw error }
        segment.due = time
    }

    private static func isOfServer(_ error: NetcoreError) -> Bool {
        error.code == .httpStatus || DownloadRule.isWorthResuming(error.code, status: 0)
    }

    /// Milliseconds that the last answer asks to wait, a minute at most.
    private var retryAfter: Int64 {
        guard let fields = head?.fieldBlock, let index = fields.index(of: "retry-after") else { return 0 }
        return min(RetryAfter.parse(fields.value(at: index), now: Timestamp.now.wall / 1000) ?? 0, 60_000)
    }

    /// Bytes that are new have come.
    func didGrow(_ file: DownloadFile, by count: Int) {
        if file.size > highest {
            highest = file.size
            restarts = 0
        }
        meter.add(count, file.size)
    }
}
