internal import NetcoreHTTP
internal import NetcoreStorage
internal import NetcoreSupport

/// One download, from the part that is there to the file in its place. Confined to its thread.
///
/// It asks for the rest of what is there, as long as a transfer breaks off and another may follow; ``DownloadRule`` says for what, and
/// what an answer is good for.
final class Download {
    private let job: DownloadRun
    private var known: Representation?
    private var info = DownloadInfo()
    private var head: Response?
    private var attempts = 0
    private var usesIfMatch = false
    /// Times that what was there was given up, and times that a transfer broke off, since the last bytes that were new.
    private var restarts = 0
    private var resumes = 0
    /// The most bytes that were ever there.
    private var highest: Int64 = 0
    /// Where ``resumes`` began to count.
    private var base: Int64 = 0
    private let deadline: MonotonicTime?
    private var meter: DownloadMeter
    private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)

    init(_ job: DownloadRun) {
        self.job = job
        info.path = job.paths.target
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

    // MARK: Requests

    private func fetch(_ file: DownloadFile) throws(NetcoreError) {
        known = file.representation
        if known != nil { info.resumedFrom = Int(file.size) }
        highest = file.size
        base = file.size
        meter.begin(info.resumedFrom, of: known?.length)
        var isDone = false
        while !isDone {
            do throws(NetcoreError) {
                isDone = try ask(file)
            } catch {
                try resume(after: error, file)
            }
        }
        meter.end(file.size)
    }

    /// Sends one request and takes its answer. True when all is there.
    private func ask(_ file: DownloadFile) throws(NetcoreError) -> Bool {
        try job.checkCanceled()
        var ask = DownloadRule.ask(size: file.size, of: known, isVerified: job.options.expectedSHA256 != nil)
        if usesIfMatch, ask.start > 0 { ask.condition = .ifMatch }
        if ask.start == 0 { info.resumedFrom = 0 }
        info.requests += 1
        let (stream, head) = try job.open(try request(ask))
        defer { job.close(stream) }
        self.head = head
        attempts += head.attempts
        let fields = head.fieldBlock ?? FieldBlock()
        let now = Timestamp.now.wall / 1000
        switch DownloadRule.judge(head.status, fields, to: ask, known, now: now) {
        case .whole:
            try begin(file, Representation(fields, now: now))
            return try takeWhole(stream, file)
        case .part(let range): return try take(range, stream, file)
        case .complete:
            known?.length = file.size
            return true
        case .askWithIfMatch: usesIfMatch = true
        case .startOver: try startOver()
        case .failure(let code, let message):
            throw NetcoreError(code, message, phase: .receive, nativeCode: Int32(clamping: head.status))
        }
        return false
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

    /// What is there is of no use; once, unless new bytes come.
    private func startOver() throws(NetcoreError) {
        restarts += 1
        guard restarts <= 1 else {
            throw NetcoreError(
                .protocol, "the parts that the server sends do not fit together", phase: .receive)
        }
        known = nil
        usesIfMatch = false
    }

    /// The transfer broke off. Waits for a while, or gives up.
    private func resume(after error: NetcoreError, _ file: DownloadFile) throws(NetcoreError) {
        try job.checkCanceled()
        // What fails before there is a head is the policy of retries' to try again, and so is an answer without a file.
        guard file.size > 0 || head != nil && error.code != .httpStatus,
            DownloadRule.isWorthResuming(error.code, status: Int(error.nativeCode)), resumes < job.options.resumes
        else { throw error }
        resumes += 1
        let longest = DownloadRule.longestWait(before: resumes)
        let wait = max(Int64.random(in: 0...longest), error.code == .httpStatus ? retryAfter : 0)
        let time = MonotonicTime.now.adding(milliseconds: Int(wait))
        if let deadline, deadline <= time { throw error }
        if wait > 0 { try job.pause(until: time) }
    }

    /// Milliseconds that the last answer asks to wait, a minute at most.
    private var retryAfter: Int64 {
        guard let fields = head?.fieldBlock, let index = fields.index(of: "retry-after") else { return 0 }
        return min(RetryAfter.parse(fields.value(at: index), now: Timestamp.now.wall / 1000) ?? 0, 60_000)
    }

    // MARK: Bodies

    private func begin(_ file: DownloadFile, _ representation: Representation) throws(NetcoreError) {
        info.fetchedAgain += Int(file.size)
        info.resumedFrom = 0
        known = representation
        usesIfMatch = false
        try checkSize(representation.length ?? 0, isWhole: representation.length != nil)
        try file.begin(representation)
        meter.begin(0, of: representation.length)
    }

    private func takeWhole(_ stream: ResponseStream, _ file: DownloadFile) throws(NetcoreError) -> Bool {
        while let bytes = try next(stream, room) { try append(bytes, file) }
        if let length = known?.length, file.size < length { throw Self.truncated }
        known?.length = file.size
        return true
    }

    private static let truncated = NetcoreError(.truncated, phase: .receive)

    private func take(
        _ range: ContentRange, _ stream: ResponseStream, _ file: DownloadFile
    ) throws(NetcoreError) -> Bool {
        if known?.length == nil, let length = range.completeLength {
            known?.length = length
            try checkSize(length, isWhole: true)
        }
        meter.setTotal(known?.length)
        guard try skip(from: range.bytes.lowerBound, stream, file) else {
            try startOver()
            return false
        }
        try file.catchUp(known)
        while let bytes = try next(stream, room) {
            guard file.size + Int64(bytes.count) <= range.bytes.upperBound else {
                try startOver()
                return false
            }
            try append(bytes, file)
        }
        guard file.size == range.bytes.upperBound else { throw Self.truncated }
        return known?.length.map { file.size >= $0 } ?? false
    }

    /// Compares what comes before the bytes that are missing with those at hand. False if it differs.
    private func skip(from start: Int64, _ stream: ResponseStream, _ file: DownloadFile) throws(NetcoreError) -> Bool {
        var offset = start
        while offset < file.size {
            let wanted = min(room.count, Int(file.size - offset))
            let part = UnsafeMutableRawBufferPointer(rebasing: room[..<wanted])
            guard let bytes = try next(stream, part) else { throw Self.truncated }
            info.fetchedAgain += bytes.count
            guard try file.holds(bytes, at: offset) else { return false }
            offset += Int64(bytes.count)
        }
        return true
    }

    /// The next bytes; nil at the end of the body.
    private func next(
        _ stream: ResponseStream, _ room: UnsafeMutableRawBufferPointer
    ) throws(NetcoreError) -> UnsafeRawBufferPointer? {
        guard let size = try stream.read(into: room, until: .never) else { throw Intake.exitError }
        info.fetched += size
        return size > 0 ? UnsafeRawBufferPointer(rebasing: room[..<size]) : nil
    }

    private func append(_ bytes: UnsafeRawBufferPointer, _ file: DownloadFile) throws(NetcoreError) {
        try checkSize(file.size + Int64(bytes.count), isWhole: false)
        try file.append(bytes)
        if file.size > highest {
            highest = file.size
            restarts = 0
            if highest - base >= 1 << 20 {
                base = highest
                resumes = 0
            }
        }
        meter.add(bytes.count, file.size)
    }

    private func checkSize(_ size: Int64, isWhole: Bool) throws(NetcoreError) {
        guard let expected = job.options.expectedSize.map({ Int64($0) }) else { return }
        guard isWhole ? size == expected : size <= expected else {
            throw NetcoreError(
                .integrity, "the file has \(isWhole ? "" : "at least ")\(size) bytes in place of \(expected)",
                phase: .receive)
        }
    }
}
