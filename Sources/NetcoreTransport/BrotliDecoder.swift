internal import CCoding
internal import NetcoreHTTP

/// br (RFC 7932).
final class BrotliDecoder: ContentDecoder {
    private let state: OpaquePointer
    private(set) var isAtEnd = false

    init?() {
        guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else { return nil }
        self.state = state
    }

    deinit { BrotliDecoderDestroyInstance(state) }

    func decode(_ input: UnsafeRawBufferPointer, _ output: Output) throws(NetcoreError) {
        guard !input.isEmpty else { return }
        guard !isAtEnd else { throw Self.damaged("br") }
        var available = input.count
        var next = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        while true {
            var room = 0
            let result = BrotliDecoderDecompressStream(state, &available, &next, &room, nil, nil)
            while BrotliDecoderHasMoreOutput(state) != 0 {
                var size = Self.pieceSize
                guard let piece = BrotliDecoderTakeOutput(state, &size), size > 0 else { break }
                try output(UnsafeRawBufferPointer(start: piece, count: size))
            }
            switch result {
            case BROTLI_DECODER_RESULT_SUCCESS:
                isAtEnd = true
                guard available == 0 else { throw Self.damaged("br") }
                return
            case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT: return
            case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: continue
            default: throw Self.damaged("br")
            }
        }
    }
}
