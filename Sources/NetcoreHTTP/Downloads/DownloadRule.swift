/// What a download asks for, and what it makes of the answer: pure rules (RFC 9110 sections 13.1 and 14).
package enum DownloadRule {
    /// What makes a server send the rest of the same representation only.
    package enum Condition: Sendable, Hashable {
        /// Nothing: a digest that the caller expects will tell.
        case none
        case ifRange
        /// For servers that send the whole when they see If-Range.
        case ifMatch
    }

    /// What a request asks for.
    package struct Ask: Sendable, Hashable {
        /// From this byte on.
        package var start: Int64
        /// Up to this one, which is not asked for; nil for all that follow.
        package var end: Int64?
        package var condition = Condition.none

        package init(start: Int64, end: Int64? = nil, condition: Condition = .none) {
            self.start = start
            self.end = end
            self.condition = condition
        }

        /// Not the whole.
        package var isRange: Bool { start > 0 || end != nil }
    }

    /// What an answer is good for.
    package enum Verdict: Sendable, Hashable {
        /// Its body is the whole, from the first byte on.
        case whole
        /// Its body is the first part of a representation of which nothing was known, and whose other parts can be asked for.
        case first(ContentRange)
        /// Its body is this part, which begins with the byte that was asked for, or before that.
        case part(ContentRange)
        /// There is no more: what is at hand is the whole.
        case complete
        /// Once more with ``Condition/ifMatch``.
        case askWithIfMatch
        /// Once more without a range: parts of it could not be told from those of another representation.
        case askForWhole
        /// What is at hand is of no use.
        case startOver
        case failure(NetcoreError.Code, String)
    }

    /// Whether the rest of a representation can be asked for.
    ///
    /// - Parameter isVerified: the caller knows the digest of the whole, so that bytes of two representations will be found out.
    package static func continues(_ known: Representation, isVerified: Bool) -> Bool {
        known.validator != nil || isVerified
    }

    /// How to ask for bytes.
    ///
    /// - Parameters:
    ///   - start: of them. Not 0 if nothing is known.
    ///   - end: where they end; nil where the file does.
    package static func ask(
        from start: Int64, to end: Int64? = nil, of known: Representation?, usesIfMatch: Bool = false
    ) -> Ask {
        let isRange = start > 0 || end != nil
        guard isRange, let known, known.validator != nil else { return Ask(start: start, end: end) }
        return Ask(start: start, end: end, condition: usesIfMatch && known.tag != nil ? .ifMatch : .ifRange)
    }

    /// The fields of a request.
    package static func fields(of ask: Ask, _ known: Representation?) -> [(name: String, value: String)] {
        // Bytes of a coded body cannot be counted, and no part of it can be decoded.
        var fields = [("Accept-Encoding", "identity")]
        guard ask.isRange else { return fields }
        fields.append(("Range", "bytes=\(ask.start)-" + (ask.end.map { "\($0 - 1)" } ?? "")))
        switch ask.condition {
        case .none: break
        case .ifRange: if let validator = known?.validator { fields.append(("If-Range", validator)) }
        case .ifMatch: if let tag = known?.tag { fields.append(("If-Match", tag)) }
        }
        return fields
    }

    /// Judges the head of an answer.
    ///
    /// - Parameter now: seconds since 1970.
    package static func judge(
        _ status: Int, _ fields: FieldBlock, to ask: Ask, _ known: Representation?, now: Int64
    ) -> Verdict {
        switch status {
        case 200:
            guard ask.condition == .ifRange, let tag = known?.tag, isTagged(fields, tag) ?? false
            else { return .whole }
            return .askWithIfMatch
        case 206: return judgePart(fields, to: ask, known, now: now)
        case 412 where ask.condition == .ifMatch: return .startOver
        case 416 where ask.isRange:
            // So is an empty file answered.
            guard let known else { return .askForWhole }
            let isTagSame = known.tag.flatMap { isTagged(fields, $0) } ?? true
            let isWhole = ask.end == nil && unsatisfiedLength(fields) == ask.start && isSame(known.length, ask.start)
            return isTagSame && isWhole ? .complete : .startOver
        default: return .failure(.httpStatus, "the server answers \(status)")
        }
    }

    private static func judgePart(
        _ fields: FieldBlock, to ask: Ask, _ known: Representation?, now: Int64
    ) -> Verdict {
        guard ask.isRange else { return .failure(.protocol, "a part comes that was not asked for") }
        guard let known else { return judgeFirst(fields, now: now) }
        // multipart/byteranges has no Content-Range.
        guard !fields.isCoded, let range = ContentRange(fields), range.bytes.lowerBound <= ask.start,
            range.bytes.upperBound > ask.start, fields.contentLength.map({ $0 == Int64(range.bytes.count) }) ?? true,
            isSame(known.length, range.completeLength), known.length.map({ range.bytes.upperBound <= $0 }) ?? true,
            isSame(known.digest, ReprDigest.sha256(fields)),
            belongs(fields, to: known, by: ask.condition, now: now)
        else { return .startOver }
        return .part(range)
    }

    /// Judges a part of something of which nothing is known: the rest can be asked for with a strong validator, and when the length is known.
    private static func judgeFirst(_ fields: FieldBlock, now: Int64) -> Verdict {
        guard !fields.isCoded, let range = ContentRange(fields), range.bytes.lowerBound == 0,
            let length = range.completeLength,
            fields.contentLength.map({ $0 == Int64(range.bytes.count) }) ?? true,
            length == range.bytes.upperBound || Representation(fields, now: now).validator != nil
        else { return .askForWhole }
        return .first(range)
    }

    private static func isSame<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
        left == nil || right == nil || left == right
    }

    /// Whether the validators of a part, where it has some, are those of what is at hand. To If-Match they must be there: servers that
    /// do not know it ignore it.
    private static func belongs(
        _ fields: FieldBlock, to known: Representation, by condition: Condition, now: Int64
    ) -> Bool {
        if let tag = known.tag { return isTagged(fields, tag) ?? (condition != .ifMatch) }
        guard let modified = known.lastModified, let index = fields.index(of: "last-modified") else { return true }
        return fields.text(at: index) == modified
    }

    /// Whether an answer has this strong tag; nil if it has none.
    private static func isTagged(_ fields: FieldBlock, _ tag: String) -> Bool? {
        guard let index = fields.index(of: "etag") else { return nil }
        guard let found = EntityTag(fields.value(at: index)) else { return false }
        return !found.isWeak && found.bytes.elementsEqual(tag.utf8)
    }

    /// The length that a 416 tells: "bytes */1234".
    private static func unsatisfiedLength(_ fields: FieldBlock) -> Int64? {
        let start = "bytes */"
        guard let value = fields.joinedValue(of: "content-range").map({ String(decoding: $0, as: UTF8.self) }),
            value.lowercased().hasPrefix(start)
        else { return nil }
        return Int64(value.dropFirst(start.utf8.count))
    }

    /// Whether another request may bring what an answer or an error failed to.
    package static func isWorthResuming(_ code: NetcoreError.Code, status: Int) -> Bool {
        if code == .httpStatus { return [408, 425, 429, 500, 502, 503, 504].contains(status) }
        guard ![.timeoutTotal, .outOfMemory, .limitQueueLength].contains(code) else { return false }
        return code.isRetryable
    }

    /// The longest wait before a request that goes on, in milliseconds: none at first, then doubled each time.
    package static func longestWait(before resume: Int) -> Int64 {
        resume <= 1 ? 0 : min(200 << Int64(min(resume - 2, 20)), 10_000)
    }
}
