public import NetcoreHTTP
package import NetcoreSupport
package import NetcoreTransport

extension Request {
    /// What the body is made of.
    package enum Content: Sendable {
        case bytes(ByteBuffer)
        case file(String)
        case stream(BodyStream)
        case parts([Part])
        /// Ready to be sent.
        case streamed(StreamedBody)
    }

    /// The body, where it is in memory.
    package var body: ByteBuffer? {
        if case .bytes(let bytes) = content { bytes } else { nil }
    }

    /// The bytes of the body, where it is in memory, as it is for a transport of the application's and for stubs; else empty.
    public var bodyData: [UInt8] {
        guard let body else { return [] }
        return withExtendedLifetime(body) { Array(body.bytes) }
    }

    /// Whether the body is not yet in the form in which it is sent.
    var hasUnsettledBody: Bool {
        switch content {
        case .none, .bytes, .streamed: false
        case .file, .stream, .parts: true
        }
    }

    /// Whether the body is read while it is sent.
    var hasStreamedBody: Bool {
        switch content {
        case .none, .bytes: false
        case .file, .stream, .parts, .streamed: true
        }
    }

    /// Sets the body; nil removes it. Content-Length follows from it; no Content-Type is added.
    public mutating func setBody(_ bytes: [UInt8]?) throws(NetcoreError) {
        guard let bytes else { return setBody(raw: nil) }
        let copy = bytes.withUnsafeBytes { ByteBuffer(copying: $0) }
        guard let copy else { throw NetcoreError(.outOfMemory, argument: "body", "out of memory") }
        setBody(raw: copy)
    }

    package mutating func setBody(raw body: ByteBuffer?) { change { $0.content = body.map { .bytes($0) } } }

    /// Sets a file as the body. It is read while it is sent, and never whole in memory. Its length is taken at the dispatch; a file
    /// that has another one when it is sent ends the task with ``NetcoreError/Code/body``.
    public mutating func setBody(file path: String) throws(NetcoreError) {
        try Self.check(path: path)
        change { $0.content = .file(path) }
    }

    /// Sets a body that is read while it is sent. One without a length is sent in chunks (RFC 9112 section 7.1), or by HTTP/2.
    public mutating func setBody(_ stream: BodyStream) throws(NetcoreError) {
        try Self.check(stream)
        change { $0.content = .stream(stream) }
    }

    /// Adds a part to the body, which becomes multipart/form-data (RFC 7578). Files and streams are read while they are sent.
    /// Parameters that would go into the body are parts of it, before the others.
    public mutating func addPart(_ part: Part) throws(NetcoreError) {
        switch part.content {
        case .bytes: break
        case .file(let path): try Self.check(path: path)
        case .stream(let stream): try Self.check(stream)
        }
        if case .streamed = content {
            throw NetcoreError(.invalidState, argument: "part", "the body is about to be sent, and takes no more parts")
        }
        change { storage in
            if case .parts(let before) = storage.content {
                storage.content = .parts(before + [part])
            } else {
                storage.content = .parts([part])
            }
        }
    }

    /// Sets the media type of the body. It is sent as Content-Type, unless the request has that field or the client adds it;
    /// nil, the default, for none. Multipart bodies have a type of their own.
    public mutating func setContentType(_ type: String?) throws(NetcoreError) {
        try setContentType(bytes: type.map { Array($0.utf8) })
    }

    package mutating func setContentType(bytes: [UInt8]?) throws(NetcoreError) {
        options.contentType = if let bytes { try Field(checking: "Content-Type", bytes).value } else { nil }
    }

    /// The number of bytes from which on the body is packed (gzip), and sent with "Content-Encoding: gzip"; nil, the default, for
    /// never. Unless the request has a Content-Encoding. A streamed body whose length is not known is packed always. A negative one is an
    /// error of the dispatch.
    public var packsBodyFrom: Int? {
        get { options.packsBodyFrom }
        set { set(.packsBodyFrom) { $0.packsBodyFrom = newValue } }
    }

    private static func check(path: String) throws(NetcoreError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw NetcoreError(.invalidArgument, argument: "path", "must not be empty or contain a NUL byte")
        }
    }

    private static func check(_ stream: BodyStream) throws(NetcoreError) {
        guard stream.length ?? 0 >= 0 else {
            throw NetcoreError(.invalidArgument, argument: "length", "must not be negative")
        }
    }
}
