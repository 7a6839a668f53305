internal import CCoding
internal import NetcoreHTTP

/// br (RFC 7932).
final class BrotliDecoder: ContentDecoder {
    private let state: OpaquePointer
    private(set) var isAtEnd = false
    private var mayHaveMore = false

    init?() {
        guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else { return nil }
        self.state = state
    }

    deinit { BrotliDecoderDestroyInstance(state) }

    func next(_ input: inout UnsafeRawBufferPointer) throws(NetcoreError) -> UnsafeRawBufferPointer? {
        while true {
            if BrotliDecoderHasMoreOutput(state) != 0 {
                var size = Self.pieceSize
                if let piece = BrotliDecoderTakeOutput(state, &size), size > 0 {
                    return UnsafeRawBufferPointer(start: piece, count: size)
                }
            }
            if isAtEnd, !input.isEmpty { throw Self.damaged("br") }
            guard !isAtEnd, !input.isEmpty || mayHaveMore else { return nil }
            var available = input.count
            var next = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
            var room = 0
            let result = BrotliDecoderDecompressStream(state, &available, &next, &room, nil, nil)
            input = UnsafeRawBufferPointer(rebasing: input.suffix(available))
            mayHaveMore = result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT
            switch result {
            case BROTLI_DECODER_RESULT_SUCCESS: isAtEnd = true
            case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT, BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: break
            default: throw Self.damaged("br")
            }
        }
    }
}
