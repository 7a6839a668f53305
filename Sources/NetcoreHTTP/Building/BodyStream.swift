internal import Synchronization

/// One sending of a body, as what reads the body knows it.
package final class BodyReading: Sendable {
    private let canceled = Atomic<Bool>(false)

    package init() {}

    /// Whether no more is wanted: what is read for it now is dropped, and its end is near.
    package var isCanceled: Bool { canceled.load(ordering: .sequentiallyConsistent) }

    package func cancel() { canceled.store(true, ordering: .sequentiallyConsistent) }
}

/// Bytes that are read while they are sent: a body, or a part of one.
public struct BodyStream: Sendable {
    /// Fills in the next bytes and returns their number; 0 at the end. It may block: a body is read on a thread of its own.
    public typealias Read = (UnsafeMutableRawBufferPointer) throws -> Int

    /// The number of bytes; nil when it is not known.
    public let length: Int?
    /// Whether it can be opened a second time.
    public let canRewind: Bool
    package let open: @Sendable (BodyReading) throws -> Read

    /// - Parameters:
    ///   - length: a body of another length than this is an error, and what was sent of it no request.
    ///   - canRewind: whether it can be opened a second time; if not, a ``RetryPolicy`` never sends it again.
    ///   - open: begins to read from the first byte. Called for each time that the body is sent; it throws where there is no
    ///     way back, which ends the task with ``NetcoreError/Code/bodyRewind``.
    public init(length: Int? = nil, canRewind: Bool = true, open: @escaping @Sendable () throws -> Read) {
        self.length = length
        self.canRewind = canRewind
        self.open = { _ in try open() }
    }

    /// A body from one source that can be read by one task at a time, such as a file that is open. A second task that would read
    /// it meanwhile ends with ``NetcoreError/Code/bodyRewind``.
    ///
    /// - Parameters:
    ///   - read: fills in the next bytes and returns their number; 0 at the end.
    ///   - rewind: goes back to the first byte; called before each sending except the first. Nil: such a sending ends with
    ///     ``NetcoreError/Code/bodyRewind``.
    public init(
        length: Int? = nil, read: @escaping @Sendable (UnsafeMutableRawBufferPointer) throws -> Int,
        rewind: (@Sendable () throws -> Void)?
    ) {
        let reader = SharedReader(read: read, rewind: rewind)
        self.init(length: length, canRewind: rewind != nil, opening: { try reader.open(for: $0) })
    }

    /// For what must know for which sending it is open.
    package init(
        length: Int?, canRewind: Bool = true, opening open: @escaping @Sendable (BodyReading) throws -> Read
    ) {
        self.length = length
        self.canRewind = canRewind
        self.open = open
    }
}
