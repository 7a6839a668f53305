package import NetcoreSupport

/// The body of a stored answer: in memory, or in a file of which parts are read as they are wanted.
package enum StoredBody: Sendable {
    case memory(ByteBuffer)
    case file(BlockFile)

    /// Its bytes.
    package var count: Int {
        switch self {
        case .memory(let bytes): bytes.count
        case .file(let file): file.size
        }
    }

    /// Its bytes in memory; nil for one in a file.
    package var buffer: ByteBuffer? { if case .memory(let bytes) = self { bytes } else { nil } }

    /// Its bytes, read where they are in a file. Blocks.
    package func readAll() throws(BodyFailure) -> ByteBuffer {
        switch self {
        case .memory(let bytes): bytes
        case .file(let file): try file.readAll()
        }
    }
}
