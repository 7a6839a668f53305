internal import NetcoreHTTP
internal import NetcoreSupport

/// Answers to the requests of a download: their heads, then their bodies.
extension Download {
    func judge(_ head: Response, _ segment: DownloadSegment, _ file: DownloadFile) throws(NetcoreError) {
        let fields = head.fieldBlock ?? FieldBlock()
        let now = Timestamp.now.wall / 1000
        switch DownloadRule.judge(head.status, fields, to: segment.ask, known, now: now) {
        case .whole:
            // It brings what the others were to bring.
            for other in segments where other !== segment { remove(other) }
            limit = 1
            try begin(file, Representation(fields, now: now))
            segment.move(to: 0, nil)
            segment.body = .init(offset: 0, end: known?.length)
        case .first(let range):
            var representation = Representation(fields, now: now)
            representation.length = range.completeLength
            try begin(file, representation)
            segment.end = min(segment.end ?? .max, representation.length ?? .max)
            accept(range, segment)
        case .part(let range):
            if known?.length == nil, let length = range.completeLength {
                known?.length = length
                try checkSize(length, isWhole: true)
            }
            meter.setTotal(known?.length)
            if file.present.isWithoutGaps { try file.catchUp(known) }
            accept(range, segment)
        case .complete:
            guard file.present.isWithoutGaps, file.size == segment.ask.start else { return try startOver() }
            known?.length = file.size
            hasAnswer = true
            remove(segment)
        case .askWithIfMatch:
            usesIfMatch = true
            close(segment)
        case .askForWhole:
            limit = 1
            segment.end = nil
            close(segment)
        case .startOver: try startOver()
        case .failure(let code, let message):
            throw NetcoreError(code, message, phase: .receive, nativeCode: Int32(clamping: head.status))
        }
    }

    private func accept(_ range: ContentRange, _ segment: DownloadSegment) {
        hasAnswer = true
        isProven = true
        segment.body = .init(offset: range.bytes.lowerBound, end: range.bytes.upperBound)
    }

    private func begin(_ file: DownloadFile, _ representation: Representation) throws(NetcoreError) {
        info.fetchedAgain += Int(file.size)
        info.resumedFrom = 0
        known = representation
        usesIfMatch = false
        hasAnswer = true
        try checkSize(representation.length ?? 0, isWhole: representation.length != nil)
        try file.begin(representation)
        meter.begin(0, of: representation.length)
    }

    // MARK: Bodies

    /// Takes the next bytes of a body. False if there are none yet.
    func receive(
        _ segment: DownloadSegment, _ stream: ResponseStream, _ file: DownloadFile
    ) throws(NetcoreError) -> Bool {
        guard let body = segment.body else { return false }
        let isOverlap = body.offset < segment.next
        let wanted = isOverlap ? min(room.count, Int(segment.next - body.offset)) : segment.wanted(of: room.count)
        let part = UnsafeMutableRawBufferPointer(rebasing: room[..<wanted])
        guard let size = try found(stream.read(into: part, until: patience)) else { return false }
        info.fetched += size
        guard size > 0 else {
            try end(body, segment, file)
            return true
        }
        let bytes = UnsafeRawBufferPointer(rebasing: part[..<size])
        segment.body?.offset += Int64(size)
        if isOverlap {
            info.fetchedAgain += size
            guard try file.agrees(bytes, at: body.offset) else {
                try startOver()
                return true
            }
        } else {
            try take(bytes, segment, body, file)
        }
        return true
    }

    /// Writes bytes that are new.
    private func take(
        _ bytes: UnsafeRawBufferPointer, _ segment: DownloadSegment, _ body: DownloadSegment.Body, _ file: DownloadFile
    ) throws(NetcoreError) {
        if let end = body.end, body.offset + Int64(bytes.count) > end { return try startOver() }
        try checkSize(file.size + Int64(bytes.count), isWhole: false)
        try file.write(bytes, at: segment.next)
        segment.advance(bytes.count)
        didGrow(file, by: bytes.count)
        if segment.isCut, segment.next == segment.end {
            // Another segment brings what follows.
            drop(segment)
            remove(segment)
        }
    }

    /// A body is at its end.
    private func end(
        _ body: DownloadSegment.Body, _ segment: DownloadSegment, _ file: DownloadFile
    ) throws(NetcoreError) {
        if let end = body.end, segment.next < end { throw NetcoreError(.truncated, phase: .receive) }
        if body.end == nil { known?.length = file.size }
        let end = segment.end ?? known?.length ?? segment.next
        // It may have ended before what was asked for.
        if segment.next < end { close(segment) } else { remove(segment) }
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
