package import NetcoreHTTP
package import NetcoreSupport

/// Whether a sink takes more.
package enum BodyFlow: Sendable {
    case more
    /// Whoever waits for bytes is to have these first; more may come in the next turn of the loop.
    case enough
    /// Not before it says so: ``TransferToken/resumeReceiving()``.
    case full
}

/// Where a received body goes, decoded and within its limits. Called on the client's loop.
package protocol BodySink: AnyObject {
    /// Takes bytes, all of them, and says whether more may come at once.
    func take(_ bytes: UnsafeRawBufferPointer) throws(NetcoreError) -> BodyFlow

    /// Nothing more comes in this turn of the loop: wakes whoever waits for what was taken.
    func show()
}

/// Memory, which is never full: limits bound it.
extension ByteBuffer: BodySink {
    package func take(_ bytes: UnsafeRawBufferPointer) throws(NetcoreError) -> BodyFlow {
        guard append(bytes) else { throw NetcoreError(.outOfMemory, phase: .receive) }
        return .more
    }

    package func show() {}
}
