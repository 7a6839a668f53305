public import NetcoreHTTP
package import NetcoreSupport

/// What to send: method, URL, header fields, body, timeouts and limits. A value: a dispatch takes a snapshot.
public struct Request: Sendable {
    package struct Field: Sendable {
        package let name: String
        package let value: [UInt8]
    }

    /// Shared by copies until one of them changes.
    private var storage: Storage

    package final class Storage: @unchecked Sendable {  // changed only while one request refers to it
        fileprivate(set) var method: String
        fileprivate(set) var url: HTTPURL
        fileprivate(set) var fields: [Field] = []
        fileprivate(set) var body: ByteBuffer?
        fileprivate(set) var timeoutSet = TimeoutSet()
        fileprivate(set) var limits = LimitOverrides()
        fileprivate(set) var hasLimits = false
        fileprivate(set) var redirectPolicy = RedirectPolicy()
        fileprivate(set) var decodesContent = true
        fileprivate(set) var tag: String?
        fileprivate(set) var cacheOptions = CacheOptions()
        fileprivate(set) var receivesInterim = false
        let prepared = PreparedCache()

        fileprivate init(_ method: String, _ url: HTTPURL) {
            self.method = method
            self.url = url
        }

        fileprivate convenience init(copying other: Storage) {
            self.init(other.method, other.url)
            fields = other.fields
            body = other.body
            timeoutSet = other.timeoutSet
            limits = other.limits
            hasLimits = other.hasLimits
            redirectPolicy = other.redirectPolicy
            decodesContent = other.decodesContent
            tag = other.tag
            cacheOptions = other.cacheOptions
            receivesInterim = other.receivesInterim
        }
    }

    /// Changes the request alone, and forgets what was prepared of it.
    private mutating func change(_ body: (Storage) -> Void) {
        if isKnownUniquelyReferenced(&storage) {
            storage.prepared.clear()
        } else {
            storage = Storage(copying: storage)
        }
        body(storage)
    }

    /// Any token (RFC 9110 section 5.6.2) but CONNECT.
    public var method: String { storage.method }
    package var url: HTTPURL { storage.url }
    package var fields: [Field] { storage.fields }
    package var body: ByteBuffer? { storage.body }
    package var prepared: PreparedCache { storage.prepared }

    package var timeoutSet: TimeoutSet {
        get { storage.timeoutSet }
        set { change { $0.timeoutSet = newValue } }
    }

    /// Whether any limit is set.
    package var hasLimits: Bool { storage.hasLimits }

    package var limits: LimitOverrides {
        get { storage.limits }
        set {
            change {
                $0.limits = newValue
                $0.hasLimits = !newValue.isEmpty
            }
        }
    }

    package var redirectPolicy: RedirectPolicy {
        get { storage.redirectPolicy }
        set { change { $0.redirectPolicy = newValue } }
    }

    /// Whether the body is decoded as its Content-Encoding says; on by default.
    public var decodesContent: Bool {
        get { storage.decodesContent }
        set { change { $0.decodesContent = newValue } }
    }

    /// By which ``Client/cancelAll(tag:)`` finds the tasks of this request.
    public var tag: String? {
        get { storage.tag }
        set { change { $0.tag = newValue } }
    }

    /// What the request asks of its client's cache.
    public var cacheOptions: CacheOptions {
        get { storage.cacheOptions }
        set { change { $0.cacheOptions = newValue } }
    }

    /// Whether interim answers (1xx, RFC 9110 section 15.2) are handed over as they come; off by default.
    public var receivesInterim: Bool {
        get { storage.receivesInterim }
        set { change { $0.receivesInterim = newValue } }
    }

    /// A request without header fields or body. The URL is absolute, http or https; spaces and bytes above 0x7F are
    /// percent-encoded; user name and password in it are sent as Basic authorization.
    public init(_ method: String = "GET", _ url: String) throws(NetcoreError) {
        storage = Storage(try Self.checked(method: method), try HTTPURL(url))
    }

    /// The URL, without user name and password.
    public var urlString: String { url.string }

    public mutating func setMethod(_ method: String) throws(NetcoreError) {
        let checked = try Self.checked(method: method)
        change { $0.method = checked }
    }

    public mutating func setURL(_ url: String) throws(NetcoreError) {
        let parsed = try HTTPURL(url)
        change { $0.url = parsed }
    }

    /// Sets a field in place of all fields of that name, compared without case.
    public mutating func setHeader(_ name: String, _ value: String) throws(NetcoreError) {
        try setHeader(name, bytes: Array(value.utf8))
    }

    /// Adds a field after those already there.
    public mutating func addHeader(_ name: String, _ value: String) throws(NetcoreError) {
        try addHeader(name, bytes: Array(value.utf8))
    }

    /// Removes all fields of a name; none is no error.
    public mutating func removeHeader(_ name: String) {
        change { $0.fields.removeAll { Syntax.equalsIgnoringCase($0.name, name) } }
    }

    /// Whether the request has a field of a name.
    public func hasHeader(_ name: String) -> Bool {
        fields.contains { Syntax.equalsIgnoringCase($0.name, name) }
    }

    package mutating func setHeader(_ name: String, bytes: [UInt8]) throws(NetcoreError) {
        let field = try Self.checked(name: name, value: bytes)
        change { storage in
            guard let first = storage.fields.firstIndex(where: { Syntax.equalsIgnoringCase($0.name, name) }) else {
                return storage.fields.append(field)
            }
            let after = storage.fields[(first + 1)...].filter { !Syntax.equalsIgnoringCase($0.name, name) }
            storage.fields = storage.fields[..<first] + [field] + after
        }
    }

    package mutating func addHeader(_ name: String, bytes: [UInt8]) throws(NetcoreError) {
        let field = try Self.checked(name: name, value: bytes)
        change { $0.fields.append(field) }
    }

    /// Sets the body; nil removes it. Content-Length follows from it; no Content-Type is added.
    public mutating func setBody(_ bytes: [UInt8]?) throws(NetcoreError) {
        guard let bytes else { return setBody(raw: nil) }
        let copy = bytes.withUnsafeBytes { ByteBuffer(copying: $0) }
        guard let copy else { throw NetcoreError(.outOfMemory, "body: out of memory") }
        setBody(raw: copy)
    }

    package mutating func setBody(raw body: ByteBuffer?) { change { $0.body = body } }

    private static func checked(method: String) throws(NetcoreError) -> String {
        guard Syntax.isToken(method.utf8) else {
            throw NetcoreError(.invalidMethod, "method: it must be a token: letters, digits and !#$%&'*+-.^_`|~")
        }
        guard method != "CONNECT" else { throw NetcoreError(.invalidMethod, "method: CONNECT is not supported") }
        return method
    }

    /// Fields that follow from the body.
    private static let framingFields = ["content-length", "transfer-encoding"]

    private static func checked(name: String, value: [UInt8]) throws(NetcoreError) -> Field {
        guard Syntax.isToken(name.utf8) else {
            throw NetcoreError(.invalidHeader, "name: a field name must be a token")
        }
        guard !framingFields.contains(where: { Syntax.equalsIgnoringCase($0, name) }) else {
            throw NetcoreError(.invalidHeader, "name: \(name) follows from the body and cannot be set")
        }
        guard Syntax.isFieldValue(value) else {
            throw NetcoreError(.invalidHeader, "value: the value of \(name) has a control byte, such as CR or LF")
        }
        return Field(name: name, value: value.withUnsafeBytes { Array(Syntax.trimmed($0)) })
    }
}

extension Request {
    /// The longest times for each part of an exchange; nil means none. Time spent queued counts to none of them.
    public struct Timeouts: Sendable, Hashable {
        /// To resolve, connect and finish TLS. Default 10 s.
        public var connect: Duration? = .seconds(10)
        /// From the last byte of the request sent to the first byte of the answer. Default 60 s.
        public var firstByte: Duration? = .seconds(60)
        /// While sending or receiving, the longest time in which not one byte moves. Default 60 s.
        public var idle: Duration? = .seconds(60)
        /// From the start of the transfer to its end, redirects included. Default none.
        public var total: Duration?

        public init() {}
    }

    /// Rounded up to milliseconds; negative ones count as the shortest.
    public var timeouts: Timeouts {
        get {
            var result = Timeouts()
            result.connect = Self.duration(timeoutSet.connect)
            result.firstByte = Self.duration(timeoutSet.firstByte)
            result.idle = Self.duration(timeoutSet.idle)
            result.total = Self.duration(timeoutSet.total)
            return result
        }
        set {
            var set = TimeoutSet()
            set.connect = Self.milliseconds(newValue.connect)
            set.firstByte = Self.milliseconds(newValue.firstByte)
            set.idle = Self.milliseconds(newValue.idle)
            set.total = Self.milliseconds(newValue.total)
            timeoutSet = set
        }
    }

    private static func duration(_ milliseconds: Int) -> Duration? {
        milliseconds == 0 ? nil : .milliseconds(milliseconds)
    }

    private static func milliseconds(_ duration: Duration?) -> Int {
        guard let duration else { return 0 }
        let (seconds, attoseconds) = duration.components
        guard seconds < TimeoutSet.maximum / 1000 else { return TimeoutSet.maximum }
        return max(Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000), 1)
    }
}

extension Request {
    /// Whether redirects are followed (RFC 9110 section 15.4); on by default.
    public var followsRedirects: Bool {
        get { redirectPolicy.isFollowing }
        set { redirectPolicy.isFollowing = newValue }
    }

    /// Whether a redirect may lead from https to http; off by default.
    public var allowsInsecureRedirects: Bool {
        get { redirectPolicy.allowsInsecure }
        set { redirectPolicy.allowsInsecure = newValue }
    }

    /// Limits of this request in place of the client's; nil takes the client's.
    public mutating func setLimits(_ limits: Limits?) {
        var overrides = LimitOverrides()
        overrides.headerBytes = limits?.headerBytes
        overrides.bodyBytes = limits?.bodyBytes
        overrides.decodedBytes = limits?.decodedBytes
        overrides.decodeRatio = limits?.decodeRatio
        overrides.redirects = limits?.redirects
        self.limits = overrides
    }
}
