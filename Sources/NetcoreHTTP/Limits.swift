/// Bounds on what one task may receive. Defaults are safe for an unknown server.
public struct Limits: Sendable, Hashable {
    /// Bytes of all header sections of one response, 1xx answers and trailers included.
    public var headerBytes = 256 << 10
    /// Bytes of the body as transferred.
    public var bodyBytes = 1 << 30
    /// Bytes of the body after content decoding.
    public var decodedBytes = 1 << 30
    /// Decoded bytes for each transferred byte; checked once more than 1 MiB came out.
    public var decodeRatio = 250
    /// Redirects followed for one task.
    public var redirects = 20

    public init() {}

    /// The size from which ``decodeRatio`` is checked.
    package static let decodeRatioFloor = 1 << 20

    /// Decoded bytes for each transferred byte that a coding brings whose output is itself coded: what is compressed
    /// already hardly shrinks again. A part of ``decodeRatio``, checked once more than ``innerDecodeRatioFloor`` bytes
    /// came out.
    package var innerDecodeRatio: Int { max(decodeRatio / 16, 4) }
    package static let innerDecodeRatioFloor = 64 << 10
}

/// Limits of one request: those that are set win over the client's.
package struct LimitOverrides: Sendable, Hashable {
    package var headerBytes: Int?
    package var bodyBytes: Int?
    package var decodedBytes: Int?
    package var decodeRatio: Int?
    package var redirects: Int?

    package init() {}

    package var isEmpty: Bool { self == LimitOverrides() }

    package func applied(to limits: Limits) -> Limits {
        var result = limits
        if let headerBytes { result.headerBytes = headerBytes }
        if let bodyBytes { result.bodyBytes = bodyBytes }
        if let decodedBytes { result.decodedBytes = decodedBytes }
        if let decodeRatio { result.decodeRatio = decodeRatio }
        if let redirects { result.redirects = redirects }
        return result
    }
}
