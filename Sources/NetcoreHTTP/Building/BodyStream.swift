internal import Synchronization

/// One sending of a body, as what reads the body knows it.
package final class BodyReading: Sendable {
    private let canceled = Atomic<Bool>(false)

    package init() {}

    /// Whether nobody waits for more: what is read for it now is dropped, and its end is near.
    package var isCanceled: Bool { canceled.load(ordering: .sequentiallyConsistent) }

    package func cancel() { canceled.store(true, ordering: .sequentiallyConsistent) }
}

/// Bytes that are read while they are sent: a body, or a part of one.
public struct BodyStream: Sendable {
    /// Fills in the next bytes and returns their number; 0 at the end. It may block: a body is read on a thread of its own.
    public typealias Read = (UnsafeMutableRawBufferPointer) throws -> Int

    /// The number of bytes; nil when it is not known.
    public let length: Int?
    package let open: @Sendable (BodyReading) throws -> Read

    /// - Parameters:
    ///   - length: a body of another length than this is an error, and what was sent of it no request.
    ///   - open: begins to read from the first byte. Called for each time that the body is sent; it throws where there is no
    ///     way back, which ends the task with ``NetcoreError/Code/bodyRewind``.
    public init(length: Int? = nil, open: @escaping @Sendable () throws -> Read) {
        self.length = length
        self.open = { _ in try open() }
    }

    /// For what can be open once at a time, and so must know who has it open.
    package init(length: Int?, opening open: @escaping @Sendable (BodyReading) throws -> Read) {
        self.length = length
        self.open = open
    }
}
