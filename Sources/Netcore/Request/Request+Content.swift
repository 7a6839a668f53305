internal import NetcoreHTTP
internal import NetcoreSupport
internal import NetcoreTransport

/// A body as it is sent, and the fields that follow from it.
struct SettledContent {
    var content: Request.Content?
    var fields: [Request.Field] = []

    /// - Parameters:
    ///   - parameters: those that go into the body.
    ///   - has: whether the request has a field of a name.
    init(_ request: Request, _ parameters: [Parameter], has: (String) -> Bool) throws(NetcoreError) {
        content = request.content
        switch content {
        case .none: if !parameters.isEmpty { try setParameters(parameters, request, has) }
        case .bytes, .streamed: break
        case .file(let path): content = .streamed(StreamedBody([try BodyPiece(file: path, label: "body")]))
        case .stream(let stream):
            content = .streamed(StreamedBody([BodyPiece(.stream(stream), label: "body", length: stream.length)]))
        case .parts(let parts):
            let nesting = request.parameterNesting
            let fields =
                request.serializer == .form || nesting == .brackets ? nesting.form.flat(parameters) : parameters
            try setParts(try fields.map(Part.init) + parts, request, has)
        }
        if let type = request.options.contentType, !self.has("Content-Type"), !has("Content-Type") {
            fields.append(Request.Field(name: "Content-Type", value: type))
        }
        if let minimum = request.packsBodyFrom, !has("Content-Encoding") { try pack(from: minimum) }
    }

    private mutating func setParameters(
        _ parameters: [Parameter], _ request: Request, _ has: (String) -> Bool
    ) throws(NetcoreError) {
        switch request.serializer {
        case .form, .query:
            content = .bytes(try Self.buffer(request.parameterNesting.form.flat(parameters).encoded(.form)))
            if !has("Content-Type") { add("Content-Type", "application/x-www-form-urlencoded") }
        case .json:
            content = .bytes(try Self.buffer(JSONObject.encode(parameters)))
            if !has("Content-Type") { add("Content-Type", "application/json") }
        }
    }

    private mutating func setParts(
        _ parts: [Part], _ request: Request, _ has: (String) -> Bool
    ) throws(NetcoreError) {
        guard !has("Content-Type") else {
            throw NetcoreError(.invalidHeader, "Content-Type: follows from the parts of the body and cannot be set")
        }
        let boundary = Multipart.makeBoundary()
        var pieces: [BodyPiece] = []
        for (index, part) in parts.enumerated() {
            pieces.append(try BodyPiece(bytes: Multipart.head(of: part, boundary, isFirst: index == 0)))
            pieces.append(try BodyPiece(part))
        }
        pieces.append(try BodyPiece(bytes: Multipart.end(boundary, isEmpty: parts.isEmpty)))
        content = .streamed(StreamedBody(pieces))
        add("Content-Type", "multipart/form-data; boundary=\(boundary)")
    }

    private mutating func pack(from minimum: Int) throws(NetcoreError) {
        switch content {
        case .bytes(let bytes) where bytes.count >= minimum:
            // What does not become smaller goes out as it is.
            guard let packed = Packing.gzip(bytes.bytes), packed.count < bytes.count else { return }
            content = .bytes(packed)
        case .streamed(let body) where body.length ?? .max >= minimum:
            content = .streamed(StreamedBody(body.pieces, isPacked: true))
        default: return
        }
        add("Content-Encoding", "gzip")
    }

    private func has(_ name: String) -> Bool { fields.contains { Syntax.equalsIgnoringCase($0.name, name) } }

    private mutating func add(_ name: String, _ value: String) {
        fields.append(Request.Field(name: name, value: Array(value.utf8)))
    }

    fileprivate static func buffer(_ bytes: [UInt8]) throws(NetcoreError) -> ByteBuffer {
        guard let copy = bytes.withUnsafeBytes({ ByteBuffer(copying: $0) }) else {
            throw NetcoreError(.outOfMemory, argument: "body", "out of memory")
        }
        return copy
    }
}

extension Part {
    fileprivate init(_ parameter: Parameter) throws(NetcoreError) {
        try parameter.check()
        try self.init(parameter.name, .bytes(Array(parameter.value.text.utf8)))
    }
}

extension BodyPiece {
    fileprivate init(bytes: [UInt8]) throws(NetcoreError) {
        self.init(.bytes(try SettledContent.buffer(bytes)), label: "body", length: bytes.count)
    }

    fileprivate init(file path: String, label: String) throws(NetcoreError) {
        self.init(.file(path), label: label, length: try FileAccess.size(path, label))
    }

    fileprivate init(_ part: Part) throws(NetcoreError) {
        let label = "part \"\(part.name)\""
        switch part.content {
        case .bytes(let bytes): try self.init(bytes: bytes)
        case .file(let path): try self.init(file: path, label: label)
        case .stream(let stream): self.init(.stream(stream), label: label, length: stream.length)
        }
    }
}
