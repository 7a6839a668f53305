internal import Glibc
internal import NetcoreHTTP
internal import NetcoreSupport

/// Reads a body in order. Confined to one thread.
protocol ChunkReader: AnyObject {
    /// Fills in bytes and returns their number; 0 at the end.
    func read(into room: UnsafeMutableRawBufferPointer) throws(NetcoreError) -> Int
}

/// Reads all pieces of a body.
final class PiecesReader: ChunkReader {
    private var rest: ArraySlice<BodyPiece>
    private var current: PieceReader?
    private let reading: BodyReading

    init(_ pieces: [BodyPiece], _ reading: BodyReading = BodyReading()) {
        rest = pieces[...]
        self.reading = reading
    }

    func read(into room: UnsafeMutableRawBufferPointer) throws(NetcoreError) -> Int {
        // Nothing waits for the rest.
        guard !reading.isCanceled else { throw NetcoreError(.canceled, phase: .send) }
        while true {
            if let current {
                let count = try current.read(into: room)
                if count > 0 { return count }
                self.current = nil
            }
            guard let next = rest.popFirst() else { return 0 }
            current = try PieceReader(next, reading)
        }
    }
}

/// Reads one piece, and sees to it that it has the length that was said: its last bytes are not handed out before its end is
/// known to be the end.
final class PieceReader {
    private let piece: BodyPiece
    private let source: any PieceSource
    private var count = 0
    private var hasEnded = false

    init(_ piece: BodyPiece, _ reading: BodyReading) throws(NetcoreError) {
        self.piece = piece
        switch piece.content {
        case .bytes(let bytes): source = BytesSource(bytes)
        case .file(let path): source = try FileSource(path, piece.label)
        case .stream(let stream): source = try StreamSource(stream, piece.label, reading)
        }
    }

    func read(into room: UnsafeMutableRawBufferPointer) throws(NetcoreError) -> Int {
        guard !hasEnded else { return 0 }
        let size = try source.read(into: room)
        count += size
        hasEnded = size == 0
        if let length = piece.length, hasEnded || count >= length { try end(length) }
        return size
    }

    private func end(_ length: Int) throws(NetcoreError) {
        guard count >= length else {
            throw NetcoreError(.body, "\(piece.label): ended after \(count) of \(length) bytes", phase: .send)
        }
        if count == length, !hasEnded {
            hasEnded = try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { (one) throws(NetcoreError) in
                try source.read(into: one) == 0
            }
        }
        guard hasEnded, count == length else {
            throw NetcoreError(.body, "\(piece.label): has more than its \(length) bytes", phase: .send)
        }
    }
}

/// Where the bytes of a piece come from.
private protocol PieceSource {
    func read(into room: UnsafeMutableRawBufferPointer) throws(NetcoreError) -> Int
}

private final class BytesSource: PieceSource {
    private let bytes: ByteBuffer
    private var offset = 0

    init(_ bytes: ByteBuffer) { self.bytes = bytes }

    func read(into room: UnsafeMutableRawBufferPointer) -> Int {
        let size = min(room.count, bytes.count - offset)
        room.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.bytes[offset..<(offset + size)]))
        offset += size
        return size
    }
}

private final class FileSource: PieceSource {
    private let descriptor: Int32
    private let label: String

    init(_ path: String, _ label: String) throws(NetcoreError) {
        self.label = label
        // Not blocking: a file that was replaced by a pipe is not to be waited for.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.error(label, "cannot be opened") }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func read(into room: UnsafeMutableRawBufferPointer) throws(NetcoreError) -> Int {
        while true {
            let size = Glibc.read(descriptor, room.baseAddress, room.count)
            if size >= 0 { return size }
            guard errno == EINTR else { throw Self.error(label, "cannot be read") }
        }
    }

    private static func error(_ label: String, _ what: String) -> NetcoreError {
        NetcoreError(.body, "\(label): \(what): \(String(cString: strerror(errno)))", phase: .send, nativeCode: errno)
    }
}

private final class StreamSource: PieceSource {
    private let next: BodyStream.Read
    private let label: String

    init(_ stream: BodyStream, _ label: String, _ reading: BodyReading) throws(NetcoreError) {
        self.label = label
        do {
            next = try stream.open(reading)
        } catch {
            throw Self.error(error, label, .bodyRewind)
        }
    }

    func read(into room: UnsafeMutableRawBufferPointer) throws(NetcoreError) -> Int {
        let size: Int
        do {
            size = try next(room)
        } catch {
            throw Self.error(error, label, .body)
        }
        guard size >= 0, size <= room.count else {
            throw NetcoreError(
                .body, "\(label): the reader filled \(size) bytes into room for \(room.count)", phase: .send)
        }
        return size
    }

    private static func error(_ error: any Error, _ label: String, _ code: NetcoreError.Code) -> NetcoreError {
        let own = error as? NetcoreError
        return NetcoreError(own?.code ?? code, "\(label): \(own?.message ?? "\(error)")", phase: .send)
    }
}
