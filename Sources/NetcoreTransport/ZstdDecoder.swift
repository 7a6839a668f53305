internal import CCoding
internal import NetcoreHTTP

/// zstd (RFC 8878), with the window of at most 8 MiB that RFC 9659 section 3 asks for.
final class ZstdDecoder: ContentDecoder {
    private let context: OpaquePointer
    private let piece: UnsafeMutableRawBufferPointer
    private(set) var isAtEnd = false

    init?() {
        guard let context = ZSTD_createDCtx() else { return nil }
        self.context = context
        piece = .allocate(byteCount: Self.pieceSize, alignment: 16)
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 23)
    }

    deinit {
        ZSTD_freeDCtx(context)
        piece.deallocate()
    }

    func decode(_ input: UnsafeRawBufferPointer, _ output: Output) throws(NetcoreError) {
        guard !input.isEmpty else { return }
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        while true {
            var target = ZSTD_outBuffer(dst: piece.baseAddress, size: piece.count, pos: 0)
            let result = ZSTD_decompressStream(context, &target, &source)
            guard ZSTD_isError(result) == 0 else { throw Self.damaged("zstd") }
            isAtEnd = result == 0
            if target.pos > 0 { try output(UnsafeRawBufferPointer(rebasing: piece[..<target.pos])) }
            if source.pos == source.size, target.pos < target.size { return }
        }
    }
}
