internal import NetcoreSupport

/// The one source of bytes for every sending of a body: open for one sending at a time, and rewound before each but the first.
final class SharedReader: @unchecked Sendable {  // what varies is under `lock`
    private let read: @Sendable (UnsafeMutableRawBufferPointer) throws -> Int
    private let rewind: (@Sendable () throws -> Void)?
    private let lock = Lock()
    private let closed: Condition
    /// For which sending it is open.
    private var current: BodyReading?
    private var hasRead = false

    init(
        read: @escaping @Sendable (UnsafeMutableRawBufferPointer) throws -> Int,
        rewind: (@Sendable () throws -> Void)?
    ) {
        self.read = read
        self.rewind = rewind
        closed = Condition(lock)
    }

    /// One reading from the first byte to the last.
    private final class Opened {
        private let reader: SharedReader

        init(_ reader: SharedReader) { self.reader = reader }

        deinit { reader.close() }

        func read(into room: UnsafeMutableRawBufferPointer) throws -> Int { try reader.read(room) }
    }

    func open(for reading: BodyReading) throws -> BodyStream.Read {
        let mustRewind = try lock.withLock { () throws(NetcoreError) in
            // An ended task, or an earlier hop of this one, closes it as soon as its read function returns.
            while let current {
                guard current.isCanceled else { throw NetcoreError(.bodyRewind, "another task reads it") }
                closed.wait()
            }
            current = reading
            defer { hasRead = true }
            return hasRead
        }
        let opened = Opened(self)
        if mustRewind {
            guard let rewind else { throw NetcoreError(.bodyRewind, "cannot be read again from its beginning") }
            try rewind()
        }
        return { try opened.read(into: $0) }
    }

    private func close() {
        lock.withLock {
            current = nil
            closed.broadcast()
        }
    }
}
