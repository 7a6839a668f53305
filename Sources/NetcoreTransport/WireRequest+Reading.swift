internal import CCurl
internal import Glibc
package import NetcoreHTTP
package import NetcoreSupport

/// A hop as something other than libcurl sends it.
extension WireRequest: SentFields {
    /// What tells which fields it went out with, without a large body being kept for it.
    package var sent: any SentFields {
        guard let body, body.length ?? .max > 4096 else { return self }
        return fields
    }

    /// The fields that go out, but those that follow from the body, in the order of their lines.
    package var fields: FieldBlock {
        let block = FieldBlock()
        var next = headers
        while let list = next {
            let text = UnsafeRawBufferPointer(start: list.pointee.data, count: strlen(list.pointee.data))
            // Several of a client's own are in one line.
            for line in text.split(whereSeparator: { $0 == 0x0D || $0 == 0x0A }) {
                Self.add(UnsafeRawBufferPointer(rebasing: line), to: block)
            }
            next = list.pointee.next
        }
        if case .basic(let user, let password) = credentials, !block.contains("Authorization") {
            let pair = Array("\(user):\(password)".utf8)
            block.append("Authorization", "Basic \(Base64.encode(pair))")
        }
        return block
    }

    /// A line as libcurl takes it: "Name: value", "Name;" for an empty value; "Name:" sends nothing.
    private static func add(_ line: UnsafeRawBufferPointer, to block: FieldBlock) {
        if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            let value = line[(colon + 1)...].drop(while: Syntax.isWhitespace)
            guard !value.isEmpty else { return }
            block.append(
                name: UnsafeRawBufferPointer(rebasing: line[..<colon]), value: UnsafeRawBufferPointer(rebasing: value))
        } else if line.last == UInt8(ascii: ";") {
            block.append(
                name: UnsafeRawBufferPointer(rebasing: line.dropLast()),
                value: UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }

    /// The whole body; nil for none. Blocks while it is read.
    package func readBody() throws(NetcoreError) -> ByteBuffer? {
        switch body {
        case .none: return nil
        case .bytes(let bytes): return bytes
        case .streamed(let streamed): return try streamed.readAll()
        }
    }
}

extension StreamedBody {
    fileprivate func readAll() throws(NetcoreError) -> ByteBuffer {
        let pieces = PiecesReader(self.pieces)
        let source: any ChunkReader = isPacked ? try PackingReader(pieces) : pieces
        let all = ByteBuffer()
        let size = 64 << 10
        while true {
            guard let room = all.room(for: size) else { throw NetcoreError(.outOfMemory, phase: .send) }
            let count = try source.read(into: UnsafeMutableRawBufferPointer(start: room, count: size))
            guard count > 0 else { return all }
            all.commit(count)
        }
    }
}
