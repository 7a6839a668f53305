internal import CCoding
package import NetcoreHTTP
package import NetcoreSupport

/// Undoes the content codings of a body as it comes in, within bounds that hold for what each of them brings: what a
/// coding in between brings, and the next one swallows, takes time as well.
package final class BodyDecoder {
    /// Called during long work; throws to end it.
    package typealias Checkpoint = () throws(NetcoreError) -> Void

    private let decoders: [any ContentDecoder]
    /// What each decoder brought so far.
    private var produced: [Int]
    private let limits: Limits
    private var consumed = 0
    /// The size of the piece being decoded, and what each decoder had brought before it, where there are several.
    private var pieceSize = 0
    private var producedBefore: [Int] = []
    /// What all decoders brought since the last checkpoint.
    private var uncheckedWork = 0

    /// How much work is done between two checkpoints, in decoded bytes of all decoders.
    package static let checkpointSpan = 8 << 20

    private let allowsUncleanEnd: Bool

    /// - Parameters:
    ///   - codings: in the order in which they were applied.
    ///   - allowsUncleanEnd: whether the checksum after the compressed data may be missing, in whole or in part.
    package init(
        _ codings: [ContentCoding], limits: Limits, allowsUncleanEnd: Bool = false
    ) throws(NetcoreError) {
        var decoders: [any ContentDecoder] = []
        for coding in codings.reversed() { decoders.append(try Self.decoder(coding, findsEndOfData: allowsUncleanEnd)) }
        self.decoders = decoders
        self.allowsUncleanEnd = allowsUncleanEnd
        produced = Array(repeating: 0, count: decoders.count)
        self.limits = limits
    }

    private static func decoder(
        _ coding: ContentCoding, findsEndOfData: Bool
    ) throws(NetcoreError) -> any ContentDecoder {
        let decoder: (any ContentDecoder)? =
            switch coding {
            case .gzip: InflateDecoder(isGzip: true, findsEndOfData: findsEndOfData)
            case .deflate: InflateDecoder(isGzip: false, findsEndOfData: findsEndOfData)
            case .brotli: BrotliDecoder()
            case .zstd: ZstdDecoder()
            }
        guard let decoder else { throw NetcoreError(.outOfMemory, phase: .receive) }
        return decoder
    }

    /// Decodes more bytes into the body.
    package func decode(
        _ input: UnsafeRawBufferPointer, into body: ByteBuffer, checkpoint: Checkpoint = {}
    ) throws(NetcoreError) {
        consumed += input.count
        pieceSize = input.count
        if decoders.count > 1 { producedBefore = produced }
        try run(0, input, body, checkpoint)
    }

    /// The body has ended: so must each of its codings.
    package func finish() throws(NetcoreError) {
        guard consumed > 0 else { return }
        for decoder in decoders where !(decoder.isAtEnd || allowsUncleanEnd && decoder.hasAllData) {
            throw NetcoreError(.truncated, "the compressed body ended before its end", phase: .receive)
        }
    }

    /// Whether a body that `finish` took lacks a checksum.
    package var endsUncleanly: Bool { consumed > 0 && decoders.contains { !$0.isAtEnd } }

    private func run(
        _ index: Int, _ input: UnsafeRawBufferPointer, _ body: ByteBuffer, _ checkpoint: Checkpoint
    ) throws(NetcoreError) {
        guard index < decoders.count else {
            guard body.append(input) else { throw NetcoreError(.outOfMemory, phase: .receive) }
            return
        }
        try decoders[index].decode(input) { output throws(NetcoreError) in
            try count(output.count, of: index, checkpoint)
            try run(index + 1, output, body, checkpoint)
        }
    }

    /// Counts what a decoder brings before anything is done with it.
    private func count(_ size: Int, of index: Int, _ checkpoint: Checkpoint) throws(NetcoreError) {
        produced[index] += size
        if index == decoders.count - 1 {
            try check(produced[index], of: consumed, limits.decodeRatio, above: Limits.decodeRatioFloor)
        } else {
            // Neither may much come at once: it takes long, and others wait.
            let (ratio, floor) = (limits.innerDecodeRatio, Limits.innerDecodeRatioFloor)
            try check(produced[index], of: consumed, ratio, above: floor)
            try check(produced[index] - producedBefore[index], of: pieceSize, ratio, above: floor)
        }
        uncheckedWork += size
        guard uncheckedWork >= Self.checkpointSpan else { return }
        uncheckedWork = 0
        try checkpoint()
    }

    private func check(_ size: Int, of input: Int, _ ratio: Int, above floor: Int) throws(NetcoreError) {
        guard size <= limits.decodedBytes else {
            throw NetcoreError(
                .limitDecodedBytes, "the body decodes to more than \(limits.decodedBytes) bytes", phase: .receive)
        }
        guard size > floor, ratio < .max / max(input, 1) else { return }
        guard size <= input * ratio else {
            throw NetcoreError(
                .limitDecodeRatio, "the body decodes to more than \(ratio) times its size", phase: .receive)
        }
    }
}

/// One decoder. Hands out what it decodes in pieces of bounded size.
protocol ContentDecoder: AnyObject {
    typealias Output = (UnsafeRawBufferPointer) throws(NetcoreError) -> Void

    /// Whether what came so far is a whole.
    var isAtEnd: Bool { get }
    /// Whether nothing but a checksum can be missing. Known only where it was asked for.
    var hasAllData: Bool { get }

    func decode(_ input: UnsafeRawBufferPointer, _ output: Output) throws(NetcoreError)
}

extension ContentDecoder {
    var hasAllData: Bool { isAtEnd }

    /// Bytes of one piece.
    static var pieceSize: Int { 64 << 10 }

    static func damaged(_ coding: String) -> NetcoreError {
        NetcoreError(.contentCoding, "the \(coding) body is damaged", phase: .receive)
    }
}
