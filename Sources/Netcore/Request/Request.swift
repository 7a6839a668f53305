public import NetcoreHTTP
internal import NetcoreSupport
internal import NetcoreTransport

/// What to send: method, URL, header fields, body, timeouts and limits. A value: a dispatch takes a snapshot.
public struct Request: Sendable {
    package struct Field: Sendable {
        package let name: String
        package let value: [UInt8]

        func append(to block: FieldBlock) {
            var name = name
            name.withUTF8 { name in
                value.withUnsafeBytes { _ = block.append(name: UnsafeRawBufferPointer(name), value: $0) }
            }
        }
    }

    /// Shared by copies until one of them changes.
    private(set) var storage: Storage

    package final class Storage: @unchecked Sendable {  // changed only while one request refers to it
        package internal(set) var method: String
        package internal(set) var target: Target
        package internal(set) var parameters: [Parameter] = []
        package internal(set) var pathValues: [(name: String, value: String)] = []
        package internal(set) var fields: [Field] = []
        package internal(set) var content: Content?
        package internal(set) var options = RequestOptions()
        let prepared = PreparedCache()

        fileprivate init(_ method: String, _ target: Target) {
            self.method = method
            self.target = target
        }

        fileprivate convenience init(copying other: Storage) {
            self.init(other.method, other.target)
            parameters = other.parameters
            pathValues = other.pathValues
            fields = other.fields
            content = other.content
            options = other.options
        }
    }

    /// Changes the request only, and forgets what was prepared of it.
    mutating func change(_ body: (Storage) -> Void) {
        beginChange()
        body(storage)
    }

    private mutating func beginChange() {
        if isKnownUniquelyReferenced(&storage) {
            storage.prepared.clear()
        } else {
            storage = Storage(copying: storage)
        }
    }

    package var options: RequestOptions {
        _read { yield storage.options }
        _modify {
            beginChange()
            yield &storage.options
        }
    }

    /// Any token (RFC 9110 section 5.6.2) but CONNECT.
    public var method: String { storage.method }
    package var target: Target { storage.target }
    package var parameters: [Parameter] { storage.parameters }
    package var pathValues: [(name: String, value: String)] { storage.pathValues }

    /// The absolute URL; nil for one that is relative to a service.
    package var url: HTTPURL? {
        if case .absolute(let url, _) = storage.target { url } else { nil }
    }
    package var fields: [Field] { storage.fields }
    package var content: Content? { storage.content }
    package var prepared: PreparedCache { storage.prepared }

    package var timeoutSet: TimeoutSet { options.timeouts }

    package var limits: LimitOverrides {
        get { options.limits ?? LimitOverrides() }
        set { options.limits = newValue.isEmpty ? nil : newValue }
    }

    package var redirectPolicy: RedirectPolicy { options.redirectPolicy }

    /// Whether the body is decoded as its Content-Encoding says; on by default.
    public var decodesContent: Bool {
        get { options.decodesContent }
        set { set(.decodesContent) { $0.decodesContent = newValue } }
    }

    /// By each of which ``Client/cancelAll(tag:)`` finds the tasks of this request, and ``Cache/clear(_:)`` its stored answers. One that
    /// contains U+001F, and an empty one of several, is an error of the dispatch.
    public var tags: [String] {
        get { options.tags }
        set { options.tags = newValue }
    }

    /// The tags whose stored answers the client's cache loses when this request succeeds: without an error, and with a status from
    /// 200 to 399. As `clear(.tag(…))` does, before the request's completion. One that is empty or contains U+001F is an error of the
    /// dispatch.
    ///
    ///     var request = try Request(.post, "/posts/7/comments")
    ///     request.invalidatedTags = ["post:7"]
    public var invalidatedTags: [String] {
        get { options.invalidatedTags }
        set { options.invalidatedTags = newValue }
    }

    /// The first of ``tags``; set, the only one.
    public var tag: String? {
        get { options.tags.first }
        set { options.tags = newValue.map { [$0] } ?? [] }
    }

    /// What the request asks of its client's cache.
    public var cacheOptions: CacheOptions {
        get { options.cache }
        set {
            let old = options.cache
            let changed = OwnOptions.set([
                (.cacheMode, old.mode != newValue.mode), (.cacheTimeToLive, old.timeToLive != newValue.timeToLive),
                (.cacheKeepsErrors, old.keepsErrors != newValue.keepsErrors),
                (.cacheScope, old.scope != newValue.scope),
                (.cacheVersion, old.version != newValue.version),
            ])
            set(changed) { $0.cache = newValue }
        }
    }

    /// Whether interim answers (1xx, RFC 9110 section 15.2) are handed over as they come; off by default.
    public var receivesInterim: Bool {
        get { options.receivesInterim }
        set { set(.receivesInterim) { $0.receivesInterim = newValue } }
    }

    /// A request without header fields or body. The URL is absolute, http or https; spaces and bytes above 0x7F are
    /// percent-encoded; user name and password in it are sent as Basic authorization.
    public init(_ method: String = "GET", _ url: String) throws(NetcoreError) {
        storage = Storage(try Self.checked(method: method), .absolute(try HTTPURL(url), url))
    }

    /// A request whose URL is relative to a base URL: a service's of the client that sends it, or the request's own
    /// (``baseURL``). A base is a folder: below "https://example.com/api", "users" and "/users" are
    /// "https://example.com/api/users". Otherwise joined as RFC 3986 section 5 says.
    ///
    /// - Parameter service: the service's name; nil for the one that the client has selected.
    public init(_ method: String = "GET", relative reference: String, service: String? = nil) throws(NetcoreError) {
        storage = Storage(
            try Self.checked(method: method), .relative(try Self.checked(relative: reference), service: service))
    }

    /// A request that is never sent: for a client's defaults.
    static var forDefaults: Request { Request(storage: Storage("GET", .relative("", service: nil))) }

    private init(storage: Storage) { self.storage = storage }

    /// What a client sends of a request, for filters to change.
    init(_ built: BuiltRequest) {
        storage = Storage(built.method, .absolute(built.url, built.url.string))
        storage.fields = built.form.fields
        storage.content = built.form.content
        storage.options = built.options
    }

    /// What goes on the wire, for a transport of the application's to read.
    init(_ wire: WireRequest, body: ByteBuffer?) {
        storage = Storage(wire.method, .absolute(wire.url, wire.url.string))
        let block = wire.fields
        storage.fields = (0..<block.count).map { index in
            Field(name: String(decoding: block.name(at: index), as: UTF8.self), value: Array(block.value(at: index)))
        }
        storage.content = body.map { .bytes($0) }
    }

    /// The URL, without user name and password; of a relative one what was given.
    public var urlString: String {
        switch storage.target {
        case .absolute(let url, _): url.string
        case .relative(let reference, _): reference
        }
    }

    /// The path as it was given, with names in braces; without that of a base URL.
    package var pathTemplate: String {
        switch storage.target {
        case .absolute(_, let text): PathTemplate.path(of: text)
        case .relative(let reference, _): PathTemplate.path(of: reference)
        }
    }

    /// Where a request goes.
    package enum Target: Sendable {
        /// With the text that it was given as.
        case absolute(HTTPURL, String)
        case relative(String, service: String?)
    }

    private static func checked(relative reference: String) throws(NetcoreError) -> String {
        guard !reference.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw NetcoreError(.invalidURL, argument: "url", "must not contain control characters, such as NUL")
        }
        let head = reference.utf8.prefix {
            $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
        }
        guard !head.contains(UInt8(ascii: ":")), !reference.utf8.starts(with: "//".utf8) else {
            throw NetcoreError(.invalidURL, argument: "url", "must have neither scheme nor host in a relative request")
        }
        return reference
    }

    public mutating func setMethod(_ method: String) throws(NetcoreError) {
        let checked = try Self.checked(method: method)
        change { $0.method = checked }
    }

    public mutating func setURL(_ url: String) throws(NetcoreError) {
        let parsed = try HTTPURL(url)
        change { $0.target = .absolute(parsed, url) }
    }

    /// Becomes what is sent: nothing is left to be put in place.
    mutating func settle(_ url: HTTPURL, _ content: Content?, adding fields: [Field]) {
        let template = pathValues.isEmpty ? nil : pathTemplate
        change { storage in
            storage.target = .absolute(url, url.string)
            storage.content = content
            storage.options.packsBodyFrom = nil
            storage.options.contentType = nil
            storage.options.urlTemplate = storage.options.urlTemplate ?? template
            storage.fields += fields
            storage.parameters = []
            storage.pathValues = []
            storage.options.usesHTTPS = false
        }
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

    package var fieldCount: Int { fields.count }

    /// The fields in one piece.
    package var fieldBlock: FieldBlock {
        let block = FieldBlock()
        for field in fields { field.append(to: block) }
        return block
    }

    /// The header fields, in their order.
    public var headers: Headers { Headers(fieldBlock) }

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

    private static func checked(method: String) throws(NetcoreError) -> String {
        guard Syntax.isToken(method.utf8) else {
            throw NetcoreError(
                .invalidMethod, argument: "method", "must be a token: letters, digits and !#$%&'*+-.^_`|~")
        }
        guard method != "CONNECT" else {
            throw NetcoreError(.invalidMethod, argument: "method", "CONNECT is not supported")
        }
        return method
    }

    /// Fields that follow from the body.
    private static let framingFields = ["content-length", "transfer-encoding"]

    fileprivate static func checked(name: String, value: [UInt8]) throws(NetcoreError) -> Field {
        guard Syntax.isToken(name.utf8) else {
            throw NetcoreError(.invalidHeader, argument: "name", "a field name must be a token")
        }
        guard !framingFields.contains(where: { Syntax.equalsIgnoringCase($0, name) }) else {
            throw NetcoreError(.invalidHeader, argument: "name", "\(name) follows from the body and cannot be set")
        }
        guard Syntax.isFieldValue(value) else {
            throw NetcoreError(
                .invalidHeader, argument: "value", "the value of \(name) has a control byte, such as CR or LF")
        }
        return Field(name: name, value: value.withUnsafeBytes { Array(Syntax.trimmed($0)) })
    }
}

extension Request {
    /// The longest times for each part of an exchange; nil or zero means none. Time spent queued counts to none of them.
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

    /// Rounded up to milliseconds. A negative one, and one beyond 2,147,483,647 ms, is an error of the dispatch
    /// (``NetcoreError/Code/invalidArgument``).
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
            let old = timeoutSet
            var given = old
            given.connect = Self.milliseconds(newValue.connect)
            given.firstByte = Self.milliseconds(newValue.firstByte)
            given.idle = Self.milliseconds(newValue.idle)
            given.total = Self.milliseconds(newValue.total)
            let changed = OwnOptions.set([
                (.connectTimeout, old.connect != given.connect), (.firstByteTimeout, old.firstByte != given.firstByte),
                (.idleTimeout, old.idle != given.idle), (.totalTimeout, old.total != given.total),
            ])
            set(changed) { $0.timeouts = given }
        }
    }

    private static func duration(_ milliseconds: Int) -> Duration? {
        milliseconds == 0 ? nil : .milliseconds(milliseconds)
    }

    private static func milliseconds(_ duration: Duration?) -> Int {
        guard let duration else { return 0 }
        let (seconds, attoseconds) = duration.components
        guard duration >= .zero else { return -1 }
        guard seconds <= TimeoutSet.maximum else { return .max }
        return Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}

extension Request {
    /// Whether redirects are followed (RFC 9110 section 15.4); on by default.
    public var followsRedirects: Bool {
        get { redirectPolicy.isFollowing }
        set { set(.followsRedirects) { $0.redirectPolicy.isFollowing = newValue } }
    }

    /// Whether a redirect may lead from https to http; off by default.
    public var allowsInsecureRedirects: Bool {
        get { redirectPolicy.allowsInsecure }
        set { set(.allowsInsecureRedirects) { $0.redirectPolicy.allowsInsecure = newValue } }
    }

    /// Limits of this request in place of the client's; nil takes the client's. A negative one is an error of the dispatch.
    public mutating func setLimits(_ limits: Limits?) { self.limits = LimitOverrides(limits) }
}

extension Request.Field {
    /// A field from outside.
    init(checking name: String, _ value: [UInt8]) throws(NetcoreError) {
        self = try Request.checked(name: name, value: value)
    }
}
