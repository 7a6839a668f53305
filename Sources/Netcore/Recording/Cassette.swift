public import NetcoreHTTP
internal import NetcoreSupport

/// Answers of servers, recorded in a file (HTTP archive, HAR 1.2) and replayed from it, for tests of an application. For any thread;
/// several clients may have one.
///
/// It stands below everything else that a client does, as stubs do: the cache, retries, redirects, cookies and timeouts work as with
/// the network, and each hop is a recording. A recording answers a request of the same method, URL and body, in any order; recordings of
/// equal requests are replayed in their order, each once. A stream comes with the pauses that it had. What is recorded now is not
/// replayed before the file is read again.
public final class Cassette: @unchecked Sendable {  // `state` is under `lock`
    public struct Options: Sendable {
        public var mode = CassetteMode.once
        /// Header fields whose values are not written, beside Authorization, Proxy-Authorization, Cookie and Set-Cookie.
        public var secretHeaders: [String] = []
        /// Parameters of URLs and forms, and members of JSON at any depth, whose values are not written.
        public var secretParameters: [String] = []
        /// Whether the last recording of a request answers again and again.
        public var repeats = false
        /// Whether streams come without their pauses.
        public var skipsPauses = false

        public init() {}
    }

    /// How much was replayed and recorded.
    public struct Counts: Sendable, Hashable {
        public internal(set) var replayed = 0
        public internal(set) var recorded = 0
        /// Recordings of the file that no request asked for.
        public internal(set) var unused = 0
    }

    private struct State: Sendable {
        var document: HARDocument
        var rule: CassetteRule
        var recorded = 0
        /// There is something that the file does not have.
        var isChanged = false
    }

    private static let largestFile = 1 << 30

    private let file: KeptFile
    private let skipsPauses: Bool
    private let recordings: [Recording]
    private let secrets: SecretNames
    private let lock = Lock()
    private var state: State

    /// Reads the file, which need not be there.
    ///
    /// - Throws: ``NetcoreError/Code/storage`` if the file or its folder cannot be read, or the file is damaged; the message says where.
    public init(_ path: String, options: Options = Options()) throws(NetcoreError) {
        let file = try KeptFile(path, option: "path")
        let bytes = options.mode == .all ? [] : try file.read(sizeLimit: Self.largestFile)
        let secrets = SecretNames(headers: options.secretHeaders, parameters: options.secretParameters)
        let document: HARDocument
        do throws(NetcoreError) {
            document =
                bytes.isEmpty
                ? try HARDocument(secrets: secrets, version: NetcoreVersion.string) : try HARDocument(reading: bytes)
        } catch {
            throw NetcoreError(error.code, argument: "path", "\(file.path): \(error.message)")
        }
        document.add(secrets)
        let all = document.secrets
        self.file = file
        self.secrets = all
        skipsPauses = options.skipsPauses
        recordings = document.recordings
        let requests = document.recordings.map { RecordedRequest($0, secrets: all) }
        let rule = CassetteRule(options.mode, requests, hadFile: !bytes.isEmpty, repeats: options.repeats)
        state = State(document: document, rule: rule)
    }

    public var counts: Counts {
        lock.withLock {
            var result = Counts()
            result.replayed = state.rule.replayed
            result.recorded = state.recorded
            result.unused = state.rule.unused.count
            return result
        }
    }

    /// Refuses with ``NetcoreError/Code/noStub`` if no request asked for a recording: the message names them.
    public func check() throws(NetcoreError) {
        let unused = lock.withLock { state.rule.unused }
        guard unused.isEmpty else {
            throw NetcoreError(.noStub, "not requested: \(unused.joined(separator: ", "))")
        }
    }

    /// Writes the file if something was recorded since it was read or written. A reader finds the old file or the new one. Recordings
    /// that are not saved are lost with the cassette. Other threads may record meanwhile.
    public func save() throws(NetcoreError) {
        try lock.withLock { () throws(NetcoreError) in
            guard state.isChanged else { return }
            try file.write(state.document.encoded())
            state.isChanged = false
        }
    }

    /// What a client has as its transport: ``Client/Options/transport``.
    public var transport: Client.TransportFunction { { [self] request, hop in answer(request, hop) } }

    // MARK: Answering

    private func answer(_ request: Request, _ hop: TransportHop) {
        let type = request.fields.first { Syntax.equalsIgnoringCase($0.name, "content-type") }?.value ?? []
        let asked = RecordedRequest(
            method: request.method, url: request.urlString, body: request.bodyData,
            type: String(decoding: type, as: UTF8.self), secrets: secrets)
        let decision = lock.withLock { state.rule.decide(asked) }
        do throws(NetcoreError) {
            switch decision {
            case .replay(let index): try hop.answer(replaying: recordings[index], skipsPauses: skipsPauses)
            case .record: try hop.forward { [self] in keep($0) }
            case .refuse(let message): try hop.fail(.noStub, message)
            }
        } catch {
            // One that has ended needs no answer.
            try? hop.fail(.internal, error.message)
        }
    }

    private func keep(_ recording: Recording) {
        lock.withLock {
            state.document.append(recording)
            state.recorded += 1
            state.isChanged = true
        }
    }
}

extension Client {
    /// Sets a cassette in place of the network, for hops that start from now on; nil for the network.
    public func setCassette(_ cassette: Cassette?) throws(NetcoreError) {
        try setTransport(cassette?.transport)
    }
}
