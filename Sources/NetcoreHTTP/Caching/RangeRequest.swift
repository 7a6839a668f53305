/// A Range field of one range of bytes (RFC 9110 section 14.1.2).
package enum RangeRequest: Sendable, Hashable {
    /// From a byte to another one, both included, or to the end.
    case from(Int64, through: Int64?)
    /// The last bytes.
    case suffix(Int64)
    /// Several ranges: a cache ignores them (RFC 9110 section 14.2 lets it), and serves the whole.
    case several

    /// Reads the Range field; nil when there is none, or when it is not valid and so is to be ignored.
    package init?(_ fields: FieldBlock) {
        guard let joined = fields.joinedValue(of: "range"),
            let range = joined.withUnsafeBytes({ Self.read(Syntax.trimmed($0)) })
        else { return nil }
        self = range
    }

    private static func read(_ value: UnsafeRawBufferPointer) -> RangeRequest? {
        guard value.count > 6,
            Syntax.equalsIgnoringCase(UnsafeRawBufferPointer(rebasing: value[..<6]), "bytes=")
        else { return nil }
        let elements = Syntax.listElements(UnsafeRawBufferPointer(rebasing: value[6...]))
        let ranges = elements.map(readOne)
        guard let first = ranges.first, let range = first, !ranges.contains(nil) else { return nil }
        return ranges.count == 1 ? range : .several
    }

    private static func readOne(_ element: UnsafeRawBufferPointer) -> RangeRequest? {
        guard let dash = element.firstIndex(of: UInt8(ascii: "-")) else { return nil }
        let last = UnsafeRawBufferPointer(rebasing: element[(dash + 1)...])
        if dash == 0 { return bytePosition(last).map(RangeRequest.suffix) }
        guard let first = bytePosition(UnsafeRawBufferPointer(rebasing: element[..<dash])) else { return nil }
        if last.isEmpty { return .from(first, through: nil) }
        guard let last = bytePosition(last), last >= first else { return nil }
        return .from(first, through: last)
    }

    /// Digits; what is too large for any body is read as the largest number.
    package static func bytePosition(_ digits: UnsafeRawBufferPointer) -> Int64? {
        guard !digits.isEmpty else { return nil }
        var result: Int64 = 0
        for byte in digits {
            guard byte &- 0x30 < 10 else { return nil }
            let (tens, isTooLarge) = result.multipliedReportingOverflow(by: 10)
            let (sum, overflow) = tens.addingReportingOverflow(Int64(byte &- 0x30))
            result = isTooLarge || overflow ? .max : sum
        }
        return result
    }

    /// The bytes that are meant of a body of that length; nil when there are none (RFC 9110 section 14.1.2).
    package func bytes(of length: Int64) -> Range<Int64>? {
        switch self {
        case .from(let first, let last):
            guard first < length else { return nil }
            return first..<min(last ?? .max, length - 1) + 1
        case .suffix(let count):
            guard count > 0, length > 0 else { return nil }
            return max(length - count, 0)..<length
        case .several: return 0..<length
        }
    }
}

/// An If-Range field: the representation that the caller holds a part of (RFC 9110 section 13.1.5).
package enum RangeCondition: Sendable, Hashable {
    case tag(EntityTag)
    case date(Int64)
    /// Neither: never true.
    case invalid

    package init?(_ fields: FieldBlock, now: Int64) {
        guard let joined = fields.joinedValue(of: "if-range") else { return nil }
        self = joined.withUnsafeBytes { value in
            let value = Syntax.trimmed(value)
            if let date = HTTPDate.parse(value, now: now) { return .date(date) }
            return EntityTag(value).map(RangeCondition.tag) ?? .invalid
        }
    }

    /// Whether a stored answer is the representation that is meant: by strong comparison, or by a date that is exactly
    /// the last modification and strong.
    package func holds(for validators: Validators) -> Bool {
        switch self {
        case .tag(let tag): validators.etag.map(tag.stronglyEquals) ?? false
        case .date(let date): validators.isLastModifiedStrong && validators.lastModified == date
        case .invalid: false
        }
    }
}
