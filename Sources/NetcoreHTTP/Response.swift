internal import Glibc
package import NetcoreSupport
internal import Synchronization

/// How a task ended: an answer, whole and decoded, or an error and what was known by then.
///
/// Filled in on the client's I/O thread, hop by hop; immutable once it is handed over.
public final class Response: @unchecked Sendable {  // see above
    /// Nil for a whole answer, whatever its status code.
    package var error: NetcoreError?
    /// The status code, such as 200 or 404; 0 when no header section arrived.
    public package(set) var status = 0
    public package(set) var version: HTTPVersion?
    public package(set) var timings = Timings()
    /// Requests put on the wire, redirects not counted.
    public package(set) var attempts = 0
    /// Each hop to the network with what came of it, in order. Empty if the cache answered.
    public package(set) var tries: [Try] = []
    /// Kept by ``texts(ofTry:)``.
    var tryTexts: [TryTexts] = []
    /// Redirects followed.
    public package(set) var redirects = 0
    /// Whether the last hop used a connection that was already open.
    public package(set) var isConnectionReused = false
    /// Bytes of all hops inside TLS: header sections and bodies as transferred.
    public package(set) var bytesSent = 0
    public package(set) var bytesReceived = 0
    package var url: HTTPURL?
    package var fieldBlock: FieldBlock?
    package var trailerBlock: FieldBlock?
    package var bodyBuffer: ByteBuffer?
    /// What the cache did, by the numbers of netcore/caching.h.
    package var cacheCode: Int32 = 0
    /// Whether another answer follows: what is stored came first.
    public var isProvisional: Bool { early == .provisional }
    /// Whether it is a 1xx answer, which others follow (RFC 9110 section 15.2).
    public var isInterim: Bool { early == .interim }
    /// Whether nothing came but bytes: a report of progress.
    public var isProgress: Bool { early == .progress }
    /// What the request carried for the caller.
    public var userInfo: (any Sendable)? { userInfoBox?.value }
    package var userInfoBox: UserInfo?
    /// What comes before the end of a task.
    package enum Early: Sendable {
        case provisional, interim, progress
        /// The head of a streamed answer.
        case head
        /// A streamed body can be read on.
        case readable
    }

    /// Set if the task's own end follows.
    package var early: Early?
    package var isEarly: Bool { early != nil }
    /// Its body was dropped: that of a redirect.
    package var lacksBody = false
    /// Its body went where it was streamed to, after the head.
    package var isStreamed = false
    /// What its body is read from, for who has only the response.
    package var streamOwner: AnyObject?
    /// Where its body is, before a cache has it read.
    package var bodySource: AnyObject?
    /// What became of the download that it ended.
    package var downloadBox: DownloadInfoBox?
    /// Whether it is the answer of another task's transfer, which this task joined (``DuplicatePolicy/join``).
    public package(set) var isJoined = false
    /// It was completed as another one's, and is only copied.
    package private(set) var isCopy = false
    /// The end of its body is not confirmed, which the request allowed: it is delivered, and not stored.
    package var endsUncleanly = false
    /// What its request's rules say of it; nil as long as nothing was judged.
    package var verdict: Verdict?
    /// What filters of answers left; nil where none did anything.
    package var filterTrace: FilterTrace?
    /// A filter has it: what that made of it so far. Set before it is lent.
    package var draft: AnyObject?
    /// What ``bodySHA256`` says, as a C string.
    package var bodyDigest: ContiguousArray<CChar>?
    /// The stored answer that it came from.
    package var cachedObject: AnyObject?
    /// The address of the error's message as a C string, 0 until it is made.
    private let message = Atomic<UInt>(0)

    /// The same of the error's message for people.
    private let userMessage = Atomic<UInt>(0)

    /// The address of the text of the body, after its size; 0 until it is made.
    private let madeText = Atomic<UInt>(0)
    /// The answers that redirected here, the first one first. They have no bodies.
    public package(set) var history: [Response] = []
    /// What the last hop went out with.
    package var sent: (any SentFields)?

    package init(error: NetcoreError? = nil) { self.error = error }

    /// What a function of the application's is shown of a hop's answer, before it is known what becomes of that.
    package init(seen hop: Response, at url: HTTPURL) {
        error = hop.error
        status = hop.status
        version = hop.version
        timings = hop.timings
        isConnectionReused = hop.isConnectionReused
        bytesSent = hop.bytesSent
        bytesReceived = hop.bytesReceived
        attempts = hop.attempts
        fieldBlock = hop.fieldBlock
        trailerBlock = hop.trailerBlock
        if error == nil { bodyBuffer = hop.bodyBuffer }
        cacheCode = hop.cacheCode
        redirects = hop.redirects
        self.url = url
    }

    /// An answer that came by other means.
    package convenience init(
        url: HTTPURL, status: Int, fields: FieldBlock, body: ByteBuffer
    ) {
        self.init()
        self.url = url
        self.status = status
        fieldBlock = fields
        bodyBuffer = body
    }

    /// What is known of one hop, except its body.
    package init(
        status: Int, version: HTTPVersion?, fields: FieldBlock?, trailers: FieldBlock?, attempts: Int, bytesSent: Int,
        bytesReceived: Int, isConnectionReused: Bool, timings: Timings
    ) {
        self.status = status
        self.version = version
        fieldBlock = fields
        trailerBlock = trailers
        self.attempts = attempts
        self.bytesSent = bytesSent
        self.bytesReceived = bytesReceived
        self.isConnectionReused = isConnectionReused
        self.timings = timings
    }

    /// What is known of an answer before its body.
    package convenience init(headOf other: Response) {
        self.init()
        status = other.status
        version = other.version
        fieldBlock = other.fieldBlock
        url = other.url
        redirects = other.redirects
        history = other.history
        timings = other.timings
        attempts = other.attempts
        isConnectionReused = other.isConnectionReused
        bytesSent = other.bytesSent
        bytesReceived = other.bytesReceived
        cacheCode = other.cacheCode
        sent = other.sent
        userInfoBox = other.userInfoBox
    }

    /// The same for another task: whole, with its body, which both share.
    package convenience init(copying other: Response) {
        self.init(headOf: other)
        isCopy = true
        error = other.error
        tries = other.tries
        trailerBlock = other.trailerBlock
        bodyBuffer = other.bodyBuffer
        early = other.early
        lacksBody = other.lacksBody
        endsUncleanly = other.endsUncleanly
        verdict = other.verdict
        filterTrace = other.filterTrace
        bodyDigest = other.bodyDigest
        cachedObject = other.cachedObject
    }

    deinit {
        free(UnsafeMutableRawPointer(bitPattern: message.load(ordering: .acquiring)))
        free(UnsafeMutableRawPointer(bitPattern: userMessage.load(ordering: .acquiring)))
        free(UnsafeMutableRawPointer(bitPattern: madeText.load(ordering: .acquiring)))
    }

    /// The error's message ended by a NUL byte that is not counted; made when it is first asked for.
    package var messageBytes: UnsafeRawBufferPointer { Self.text(in: message, error?.message ?? "") }

    /// The same of its message for people.
    package var userMessageBytes: UnsafeRawBufferPointer { Self.text(in: userMessage, error?.userMessage ?? "") }

    /// The text at an address, which is made if that is 0.
    private static func text(
        in place: borrowing Atomic<UInt>, _ text: @autoclosure () -> String
    ) -> UnsafeRawBufferPointer {
        var address = place.load(ordering: .acquiring)
        if address == 0, let made = strdup(text()) {
            let (exchanged, original) = place.compareExchange(
                expected: 0, desired: UInt(bitPattern: made), ordering: .acquiringAndReleasing)
            address = exchanged ? UInt(bitPattern: made) : original
            if !exchanged { free(made) }
        }
        guard let start = UnsafePointer<CChar>(bitPattern: address) else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(start: start, count: strlen(start))
    }

    /// The fields of the header section.
    public var headers: Headers { Headers(fieldBlock ?? FieldBlock()) }
    /// The fields that the last hop was sent with, as far as netcore writes them: without those that follow from the body, Host, and
    /// Digest and Negotiate credentials. Empty where no hop was sent: for what a cache served.
    public var requestHeaders: Headers { Headers(sent?.fields ?? FieldBlock()) }
    /// The fields of the trailer section (RFC 9110 section 6.5).
    public var trailers: Headers { Headers(trailerBlock ?? FieldBlock()) }

    /// The URL of the last hop, without user name and password.
    public var urlString: String { url?.string ?? "" }

    /// The body, whole and decoded; a copy.
    public var body: [UInt8] { withBody { Array($0) } }

    /// Lends the body's bytes, without a copy.
    public func withBody<Result>(_ read: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(bodyBuffer) {
            try read(bodyBuffer?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }

    /// The charset that Content-Type names (RFC 9110 section 8.3.2), in lower case; nil if it names none.
    public var charset: String? {
        guard let fields = fieldBlock, let index = fields.index(of: "content-type") else { return nil }
        return Charset.named(fields.value(at: index))
    }

    /// The body as text: by its byte order mark, else by ``charset``, else (also where that is not known) as UTF-8. Bytes that do not
    /// decode become U+FFFD.
    public var text: String {
        let charset = charset
        return withBody { Charset.decode($0, charset) }
    }

    /// The links of its Link fields (RFC 8288), in their order.
    public var links: [Link] { Link.parse(headers.values(of: "link"), base: url) }

    /// The text, with a NUL byte after it that is not counted; made when it is first asked for.
    package var textBytes: UnsafeRawBufferPointer {
        let size = MemoryLayout<Int>.size
        var address = madeText.load(ordering: .acquiring)
        if address == 0 {
            var text = text
            let made = text.withUTF8 { text -> UnsafeMutableRawPointer? in
                guard let memory = malloc(size + text.count + 1) else { return nil }
                memory.storeBytes(of: text.count, as: Int.self)
                UnsafeMutableRawBufferPointer(start: memory + size, count: text.count).copyBytes(from: text)
                memory.storeBytes(of: 0, toByteOffset: size + text.count, as: UInt8.self)
                return memory
            }
            let (exchanged, original) = madeText.compareExchange(
                expected: 0, desired: UInt(bitPattern: made), ordering: .acquiringAndReleasing)
            address = exchanged ? UInt(bitPattern: made) : original
            if !exchanged { free(made) }
        }
        guard let start = UnsafeRawPointer(bitPattern: address) else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(start: start + size, count: start.load(as: Int.self))
    }
}

/// Something of the caller's.
package final class UserInfo: Sendable {
    package let value: any Sendable

    package init(_ value: any Sendable) { self.value = value }
}

/// What knows with which fields a hop was sent.
package protocol SentFields: AnyObject, Sendable {
    var fields: FieldBlock { get }
}
