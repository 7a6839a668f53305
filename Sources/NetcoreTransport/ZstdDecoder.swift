internal import CCoding
internal import NetcoreHTTP

/// zstd (RFC 8878), with the window of at most 8 MiB that RFC 9659 section 3 asks for.
final class ZstdDecoder: ContentDecoder {
    private let context: OpaquePointer
    private let piece: UnsafeMutableRawBufferPointer
    private(set) var isAtEnd = false
    /// The last piece was full.
    private var mayHaveMore = false

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

    func next(_ input: inout UnsafeRawBufferPointer) throws(NetcoreError) -> UnsafeRawBufferPointer? {
        while !input.isEmpty || mayHaveMore {
            var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
            var target = ZSTD_outBuffer(dst: piece.baseAddress, size: piece.count, pos: 0)
            let result = ZSTD_decompressStream(context, &target, &source)
            guard ZSTD_isError(result) == 0 else { throw Self.damaged("zstd") }
            isAtEnd = result == 0
            mayHaveMore = !isAtEnd && target.pos == target.size
            input = UnsafeRawBufferPointer(rebasing: input.dropFirst(source.pos))
            if target.pos > 0 { return UnsafeRawBufferPointer(rebasing: piece[..<target.pos]) }
        }
        return nil
    }
}
