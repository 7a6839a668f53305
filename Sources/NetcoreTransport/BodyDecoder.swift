internal import CCoding
package import NetcoreHTTP
package import NetcoreSupport

/// Undoes the content codings of a body as it comes in, within bounds.
package final class BodyDecoder {
    private let stages: [any DecodingStage]
    private let limits: Limits
    private var consumed = 0

    /// The codings in the order in which they were applied.
    package init(_ codings: [ContentCoding], limits: Limits) throws(NetcoreError) {
        var stages: [any DecodingStage] = []
        for coding in codings.reversed() { stages.append(try Self.stage(coding)) }
        self.stages = stages
        self.limits = limits
    }

    private static func stage(_ coding: ContentCoding) throws(NetcoreError) -> any DecodingStage {
        let stage: (any DecodingStage)? =
            switch coding {
            case .gzip: InflateStage(isGzip: true)
            case .deflate: InflateStage(isGzip: false)
            case .brotli: BrotliStage()
            case .zstd: ZstdStage()
            }
        guard let stage else { throw NetcoreError(.outOfMemory, phase: .receive) }
        return stage
    }

    /// Decodes more bytes into the body.
    package func decode(_ input: UnsafeRawBufferPointer, into body: ByteBuffer) throws(NetcoreError) {
        consumed += input.count
        try run(0, input, body)
    }

    /// The body has ended: so must each of its codings.
    package func finish() throws(NetcoreError) {
        guard consumed > 0 else { return }
        for stage in stages where !stage.isAtEnd {
            throw NetcoreError(.truncated, "the compressed body ended before its end", phase: .receive)
        }
    }

    private func run(_ index: Int, _ input: UnsafeRawBufferPointer, _ body: ByteBuffer) throws(NetcoreError) {
        guard index < stages.count else {
            try check(body.count + input.count)
            guard body.append(input) else { throw NetcoreError(.outOfMemory, phase: .receive) }
            return
        }
        try stages[index].decode(input) { output throws(NetcoreError) in try run(index + 1, output, body) }
    }

    private func check(_ size: Int) throws(NetcoreError) {
        guard size <= limits.decodedBytes else {
            throw NetcoreError(
                .limitDecodedBytes, "the body decodes to more than \(limits.decodedBytes) bytes", phase: .receive)
        }
        guard size > Limits.decodeRatioFloor, limits.decodeRatio < .max / max(consumed, 1) else { return }
        guard size <= consumed * limits.decodeRatio else {
            throw NetcoreError(
                .limitDecodeRatio, "the body decodes to more than \(limits.decodeRatio) times its size",
                phase: .receive)
        }
    }
}

/// One decoder. Hands out what it decodes in pieces of bounded size.
protocol DecodingStage: AnyObject {
    typealias Output = (UnsafeRawBufferPointer) throws(NetcoreError) -> Void

    /// Whether what came so far is a whole.
    var isAtEnd: Bool { get }

    func decode(_ input: UnsafeRawBufferPointer, _ output: Output) throws(NetcoreError)
}

extension DecodingStage {
    /// Bytes of one piece.
    static var pieceSize: Int { 64 << 10 }

    static func damaged(_ coding: String) -> NetcoreError {
        NetcoreError(.contentCoding, "the \(coding) body is damaged", phase: .receive)
    }
}
