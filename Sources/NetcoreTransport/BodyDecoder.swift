internal import CCoding
package import NetcoreHTTP
internal import NetcoreSupport

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
    /// What each decoder has not taken yet.
    private var pending: [UnsafeRawBufferPointer]
    /// Holds what the first one has not, where the sink was full.
    private var kept: ByteBuffer?
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
        pending = Array(repeating: UnsafeRawBufferPointer(start: nil, count: 0), count: decoders.count)
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

    /// Decodes more bytes into a sink. Where that is full, the rest of them is kept: ``drain(into:checkpoint:)`` goes on.
    @discardableResult
    package func decode(
        _ input: UnsafeRawBufferPointer, into sink: any BodySink, checkpoint: Checkpoint = {}
    ) throws(NetcoreError) -> BodyFlow {
        consumed += input.count
        pieceSize = input.count
        if decoders.count > 1 { producedBefore = produced }
        pending[0] = input
        return try drain(into: sink, checkpoint: checkpoint)
    }

    /// Decodes what was kept.
    package func drain(into sink: any BodySink, checkpoint: Checkpoint = {}) throws(NetcoreError) -> BodyFlow {
        while let piece = try next(decoders.count - 1, checkpoint) {
            guard try sink.take(piece) == .full else { continue }
            try keepRest()
            return .full
        }
        kept = nil
        return .more
    }

    /// The input is the transfer's, and gone when it goes on.
    private func keepRest() throws(NetcoreError) {
        guard !pending[0].isEmpty, kept == nil else { return }
        guard let copy = ByteBuffer(copying: pending[0]) else { throw NetcoreError(.outOfMemory, phase: .receive) }
        kept = copy
        pending[0] = copy.bytes
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

    /// The next piece that a decoder brings of what those before it bring; nil when they need more input. It lasts until the next call.
    private func next(_ index: Int, _ checkpoint: Checkpoint) throws(NetcoreError) -> UnsafeRawBufferPointer? {
        while true {
            if let output = try decoders[index].next(&pending[index]) {
                try count(output.count, of: index, checkpoint)
                return output
            }
            guard index > 0, let more = try next(index - 1, checkpoint) else { return nil }
            pending[index] = more
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

/// One decoder. Hands out what it decodes in pieces of bounded size, each when it is asked for.
protocol ContentDecoder: AnyObject {
    /// Whether what came so far is a whole.
    var isAtEnd: Bool { get }
    /// Whether nothing but a checksum can be missing. Known only where it was asked for.
    var hasAllData: Bool { get }

    /// Takes from the input what the next piece needs, and returns that: it lasts until the next call. Nil when all of the input is
    /// taken, and more is needed.
    func next(_ input: inout UnsafeRawBufferPointer) throws(NetcoreError) -> UnsafeRawBufferPointer?
}

extension ContentDecoder {
    var hasAllData: Bool { isAtEnd }

    /// Bytes of one piece.
    static var pieceSize: Int { 64 << 10 }

    static func damaged(_ coding: String) -> NetcoreError {
        NetcoreError(.contentCoding, "the \(coding) body is damaged", phase: .receive)
    }
}
