internal import NetcoreHTTP
internal import NetcoreStorage

/// What a download is to bring, and how.
public struct DownloadOptions: Sendable {
    /// The length of the file in bytes. Another one is ``NetcoreError/Code/integrity``.
    public var expectedSize: Int?
    /// The SHA-256 digest of the file, 64 hexadecimal digits. Another one is ``NetcoreError/Code/integrity``.
    public var expectedSHA256: String?
    /// Whether ``DownloadInfo/sha256`` is computed although neither the caller nor the server names a digest. Off by default, since it takes
    /// processor time.
    public var makesSHA256 = false
    /// Whether a file of that name is replaced. Off by default: it is ``NetcoreError/Code/fileExists``.
    public var replacesFile = false
    /// What tells downloads to one file apart: a part that another key left is of no use. Default: the request's URL, so that a caller
    /// with a fresh URL each time gives a key of its own.
    public var key: String?
    /// How often a transfer that broke off goes on by itself, counted anew after each MiB that is new.
    public var resumes = 5
    /// The most parts of the file that come at once, each by a request of its own, from 1 to 16. Only from a server that sends a part
    /// when asked for it, with a strong validator and the length of the whole; from another one the file comes by one request.
    public var segments = 1
    /// The least number of bytes that a segment is opened for. Default: 8 MiB, and only while there are more than 2 s to go.
    public var segmentSize: Int?
    /// Whether what came outlasts a power loss. On by default.
    public var isSynced = true

    public init() {}

    /// The same with the digest that the request names, unless these name one.
    func taking(_ check: DigestCheck?) -> DownloadOptions {
        var result = self
        switch check {
        case .expected(let digits): result.expectedSHA256 = expectedSHA256 ?? digits
        case .server: result.makesSHA256 = true
        case nil: break
        }
        return result
    }

    /// - Throws: `invalidArgument`, with the name of what is out of range.
    func check() throws(NetcoreError) {
        if let expectedSize, expectedSize < 0 {
            throw NetcoreError(.invalidArgument, argument: "expectedSize", "must not be negative")
        }
        if let expectedSHA256, Hexadecimal.bytes(expectedSHA256)?.count != 32 {
            throw NetcoreError(.invalidArgument, argument: "sha256", "must be 64 hexadecimal digits")
        }
        guard resumes >= 0 else {
            throw NetcoreError(.invalidArgument, argument: "resumes", "must not be negative")
        }
        guard (1...SegmentRule.most).contains(segments) else {
            throw NetcoreError(.invalidArgument, argument: "segments", "must be from 1 to \(SegmentRule.most)")
        }
        if let segmentSize, segmentSize <= 0 {
            throw NetcoreError(.invalidArgument, argument: "segmentSize", "must be positive")
        }
    }
}

/// How far a download has come.
public struct DownloadProgress: Sendable {
    /// Bytes of the file that are there, those of an earlier download included.
    public package(set) var size = 0
    /// Bytes of the whole file; nil if that is not known.
    public package(set) var total: Int?
    /// Bytes that an earlier download had left.
    public package(set) var resumedFrom = 0
    /// Bytes for each second, over the last few seconds; nil at the beginning.
    public package(set) var bytesPerSecond: Int?
    /// What is left at that rate; nil if that is not known.
    public package(set) var timeLeft: Duration?

    package init() {}
}

extension NetcoreError {
    /// Why a file could not be written.
    init(_ failure: FileFailure) {
        let code: Code =
            switch failure.kind {
            case .name: .invalidArgument
            case .busy: .fileBusy
            case .exists: .fileExists
            case .system: .storage
            }
        self.init(code, argument: "path", failure.message, nativeCode: failure.code)
    }
}

/// Does something with a file.
func onDisk<Result>(_ body: () throws(FileFailure) -> Result) throws(NetcoreError) -> Result {
    do throws(FileFailure) {
        return try body()
    } catch {
        throw NetcoreError(error)
    }
}
