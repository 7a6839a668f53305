/// Reads header sections line by line, as libcurl hands them over: status lines, fields, trailers; bounds their size and
/// judges the framing (RFC 9112 sections 5 and 6), which libcurl 7.88 takes too lightly.
package struct HeadParser {
    package enum State: Sendable {
        case statusLine
        case fields
        /// After the final header section: what still comes is the trailer section.
        case trailers
    }

    /// What a line meant.
    package enum Event: Sendable {
        case more
        /// A 1xx answer has ended; the next status line follows.
        case interim(status: Int, FieldBlock)
        /// The header section of the final answer is whole.
        case head
    }

    package private(set) var state = State.statusLine
    package private(set) var status = 0
    /// Major * 10 + minor.
    package private(set) var version: Int32 = 0
    /// The section being read, or the final one.
    package private(set) var fields: FieldBlock?
    package private(set) var trailers: FieldBlock?
    /// Bytes of all sections so far.
    package private(set) var byteCount = 0
    package private(set) var contentLength: Int?
    package private(set) var isChunked = false
    package private(set) var codings: [ContentCoding] = []
    /// The final section says that the connection ends with the answer.
    package private(set) var closesConnection = false
    /// What the connection speaks decides, and not what its peer writes: libcurl makes status lines for HTTP/2 by itself.
    package var expectsHTTP2 = false
    private var hasUnknownCoding = false
    private var limit = 0

    package init() {}

    /// Begins with a new answer.
    package mutating func begin(limit: Int) {
        self.limit = limit
        byteCount = 0
        status = 0
        version = 0
        trailers = nil
        reset()
    }

    package mutating func consume(_ line: UnsafeRawBufferPointer) throws(NetcoreError) -> Event {
        byteCount += line.count
        guard byteCount <= limit else {
            throw NetcoreError(.limitHeaderBytes, "the header section is larger than \(limit) bytes", phase: .receive)
        }
        let content = Self.withoutLineEnd(line)
        switch state {
        case .statusLine:
            try readStatusLine(content)
            return .more
        case .fields:
            guard content.isEmpty else {
                try readField(content)
                return .more
            }
            return endSection()
        case .trailers:
            guard !content.isEmpty else { return .more }
            try readTrailer(content)
            return .more
        }
    }

    /// Whether the header section of the final answer has come.
    package var isWhole: Bool {
        if case .trailers = state { true } else { false }
    }

    /// Whether an answer of a status to a method has a body (RFC 9112 section 6.3).
    package static func hasBody(status: Int, method: String) -> Bool {
        method != "HEAD" && status != 204 && status != 304
    }

    /// The codings to undo, once the head is whole. None where one is unknown: the body is then handed over as it comes.
    package func decodableCodings() throws(NetcoreError) -> [ContentCoding] {
        if hasUnknownCoding { return [] }
        guard codings.count <= ContentCoding.maximumNesting else {
            throw NetcoreError(
                .contentCoding, "the answer has too many content codings", phase: .receive)
        }
        return codings
    }

    private mutating func readStatusLine(_ line: UnsafeRawBufferPointer) throws(NetcoreError) {
        // "HTTP/1.1 200 OK", and libcurl's "HTTP/2 200 ".
        guard line.count >= 10, Self.isHTTP(line), let space = line.firstIndex(of: 0x20) else {
            throw Self.broken("the status line is malformed")
        }
        version = 0
        for byte in line[5..<space] where byte != UInt8(ascii: ".") {
            guard let digit = Self.digit(byte), version < 100 else { throw Self.broken("the status line is malformed") }
            version = version * 10 + Int32(digit)
        }
        if version < 10 { version *= 10 }
        let code = line[(space + 1)...].prefix { $0 != 0x20 }
        guard (version == 20) == expectsHTTP2, version <= 20 else {
            throw Self.broken("the status line names another version of HTTP than the connection speaks")
        }
        guard code.count == 3, code.allSatisfy({ Self.digit($0) != nil }) else {
            throw Self.broken("the status code is not a number of three digits")
        }
        status = code.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard status >= 100, status != 101 else {
            throw Self.broken("the status \(status) was not asked for")
        }
        state = .fields
    }

    /// Whether a line begins with "HTTP/".
    private static func isHTTP(_ line: UnsafeRawBufferPointer) -> Bool {
        line.loadUnaligned(as: UInt32.self) == UInt32(bigEndian: 0x48545450) && line[4] == UInt8(ascii: "/")
    }

    private mutating func section() -> FieldBlock {
        if let fields { return fields }
        let made = FieldBlock()
        fields = made
        return made
    }

    private mutating func endSection() -> Event {
        guard status >= 200 else {
            let fields = section()
            reset()
            return .interim(status: status, fields)
        }
        state = .trailers
        return .head
    }

    private mutating func reset() {
        fields = nil
        state = .statusLine
        contentLength = nil
        isChunked = false
        closesConnection = false
        if !codings.isEmpty { codings = [] }
        hasUnknownCoding = false
    }

    private mutating func readField(_ line: UnsafeRawBufferPointer) throws(NetcoreError) {
        if fields == nil { fields = FieldBlock() }
        guard let field = try Self.field(line) else { return try Self.readOddLine(line, into: section()) }
        // The block is used where it stands, which takes no reference to it.
        guard fields?.append(name: field.name, value: field.value) ?? false else { throw Self.noMemory }
        try judge(field.name, field.value)
    }

    private mutating func readTrailer(_ line: UnsafeRawBufferPointer) throws(NetcoreError) {
        let block = trailers ?? FieldBlock()
        trailers = block
        guard let field = try Self.field(line) else { return try Self.readOddLine(line, into: block) }
        guard block.append(name: field.name, value: field.value) else { throw Self.noMemory }
    }

    /// The name and value in a line; nil if it is no "name: value".
    private static func field(
        _ line: UnsafeRawBufferPointer
    ) throws(NetcoreError) -> (name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)? {
        guard let start = line.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
        var colon = 0
        let count = line.count
        while colon < count, Syntax.isTokenByte(start[colon]) { colon += 1 }
        guard colon > 0, colon < line.count, start[colon] == UInt8(ascii: ":") else { return nil }
        var first = colon + 1
        var end = line.count
        while first < end, Syntax.isWhitespace(start[first]) { first += 1 }
        while end > first, Syntax.isWhitespace(start[end - 1]) { end -= 1 }
        let value = UnsafeRawBufferPointer(start: start + first, count: end - first)
        guard isReceivable(value) else { throw broken("a header field's value has a line end or a NUL byte") }
        return (UnsafeRawBufferPointer(start: start, count: colon), value)
    }

    /// Whether a value may be taken from a server: other control bytes are kept as they are (RFC 9110 section 5.5).
    private static func isReceivable(_ value: UnsafeRawBufferPointer) -> Bool {
        Syntax.isFieldValue(value) || !value.contains { $0 == 0x0D || $0 == 0x0A || $0 == 0 }
    }

    /// A line that is no "name: value": folded, or broken.
    private static func readOddLine(
        _ line: UnsafeRawBufferPointer, into block: FieldBlock
    ) throws(NetcoreError) {
        if Syntax.isWhitespace(line[0]) {
            let folded = Syntax.trimmed(line)
            guard isReceivable(folded), block.extendLast(with: folded) else {
                throw broken("a header line begins with white space")
            }
            return
        }
        guard line.contains(UInt8(ascii: ":")) else { throw broken("a header line has no colon") }
        throw broken("a header field's name is not a token")
    }

    /// Reads the fields that decide how the body is framed and coded.
    private mutating func judge(
        _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws(NetcoreError) {
        switch name.count {
        case 10 where Syntax.equalsIgnoringCase(name, "connection"):
            if Syntax.equalsIgnoringCase(value, "close") { closesConnection = true }
        case 14 where Syntax.equalsIgnoringCase(name, "content-length"):
            let length = try Self.contentLength(value)
            guard contentLength == nil || contentLength == length else {
                throw Self.broken("Content-Length fields contradict each other")
            }
            contentLength = length
        case 16 where Syntax.equalsIgnoringCase(name, "content-encoding"):
            do throws(NetcoreError) { codings += try ContentCoding.parse(value) } catch { hasUnknownCoding = true }
        case 17 where Syntax.equalsIgnoringCase(name, "transfer-encoding"):
            // What old servers say who apply none (RFC 2616 section 3.6).
            if Syntax.equalsIgnoringCase(value, "identity") { return }
            // No TE was sent: nothing but chunked, once, may come (RFC 9112 section 6.1).
            guard !isChunked, Syntax.equalsIgnoringCase(value, "chunked") else {
                throw Self.broken("the Transfer-Encoding was not asked for")
            }
            isChunked = true
        default: break
        }
    }

    /// Reads a Content-Length (RFC 9110 section 8.6): digits, or the same digits repeated in a list.
    package static func contentLength(_ value: UnsafeRawBufferPointer) throws(NetcoreError) -> Int {
        var result: Int?
        var rest = value
        while true {
            let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
            let length = try decimal(Syntax.trimmed(UnsafeRawBufferPointer(rebasing: rest[..<end])))
            guard result == nil || result == length else {
                throw broken("Content-Length fields contradict each other")
            }
            result = length
            guard end < rest.endIndex else { return length }
            rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
        }
    }

    private static func decimal(_ digits: UnsafeRawBufferPointer) throws(NetcoreError) -> Int {
        guard !digits.isEmpty else { throw broken("the Content-Length is not a number") }
        var number = 0
        for byte in digits {
            guard let digit = digit(byte) else { throw broken("the Content-Length is not a number") }
            let (tens, tooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflow) = tens.addingReportingOverflow(digit)
            guard !tooLarge, !overflow else { throw broken("the Content-Length is too large for any body") }
            number = sum
        }
        return number
    }

    private static func digit(_ byte: UInt8) -> Int? {
        byte &- 0x30 < 10 ? Int(byte &- 0x30) : nil
    }

    private static func withoutLineEnd(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var end = line.count
        if end > 0, line[end - 1] == 0x0A { end -= 1 }
        if end > 0, line[end - 1] == 0x0D { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: line[..<end])
    }

    private static let noMemory = NetcoreError(.outOfMemory, phase: .receive)

    private static func broken(_ message: String) -> NetcoreError {
        NetcoreError(.protocol, message, phase: .receive)
    }
}
