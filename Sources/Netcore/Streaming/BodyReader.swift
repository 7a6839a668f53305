internal import NetcoreHTTP
internal import NetcoreSupport

/// What a consumer of a stream's elements, such as events or lines, has at hand: bytes that were not looked at, and what came of the
/// next element. One consumer at a time, as for the bytes of the body.
final class BodyReader<Parser: BodyParser>: @unchecked Sendable {  // what changes belongs to the one that has `isBusy`
    private let lock = Lock()
    private var isBusy = false
    private(set) var parser: Parser?
    private var chunk: ByteBuffer?
    private var position = 0
    /// The last element read was too large, and none can be read any more.
    private var failure: NetcoreError?

    /// - Parameter makeParser: as the first call says it.
    func enter(_ makeParser: @autoclosure () -> Parser) throws(NetcoreError) {
        let isFree = lock.withLock {
            defer { isBusy = true }
            return !isBusy
        }
        guard isFree else { throw ResponseStream.isBeingRead }
        if parser == nil { parser = makeParser() }
    }

    func leave() { lock.withLock { isBusy = false } }

    /// The next element at hand.
    func next() throws(NetcoreError) -> Parser.Element? {
        if let failure { throw failure }
        guard let chunk else { return nil }
        do throws(NetcoreError) {
            if let element = try parser?.next(in: chunk.bytes, from: &position) { return element }
        } catch {
            failure = error
            throw error
        }
        self.chunk = nil
        return nil
    }

    /// Adds events at hand to a block until it is full.
    func collect(into block: inout EventBlock) throws(NetcoreError) where Parser == EventParser {
        if let failure { throw failure }
        guard let chunk else { return }
        do throws(NetcoreError) {
            try parser?.collect(in: chunk.bytes, from: &position, into: &block)
        } catch {
            failure = error
            throw error
        }
        if position == chunk.count { self.chunk = nil }
    }

    func add(_ chunk: ByteBuffer) {
        self.chunk = chunk
        position = 0
    }

    func finish() -> Parser.Element? { parser?.finish() }
}

extension ResponseStream {
    /// The next element, waiting for it until a time; nil at the end of the body. Throws `inProgress` when the time comes first, and what
    /// the task ended with.
    func nextElement<Parser: BodyParser>(
        of reader: BodyReader<Parser>, until deadline: MonotonicTime
    ) throws(NetcoreError) -> Parser.Element? {
        while true {
            if let element = try nextWhole(of: reader) { return element }
            switch try nextChunk(until: deadline) {
            case .chunk(let chunk): reader.add(chunk)
            case .end: return reader.finish()
            case .none: throw NetcoreError(.inProgress, "the body continues")
            }
        }
    }

    /// The same for a consumer that suspends.
    func nextElement<Parser: BodyParser>(
        of reader: BodyReader<Parser>
    ) async throws(NetcoreError) -> Parser.Element? {
        while true {
            if let element = try nextWhole(of: reader) { return element }
            guard let chunk = try await next() else { return reader.finish() }
            reader.add(chunk)
        }
    }

    /// An element at hand. After one that is too large nothing more is received.
    private func nextWhole<Parser: BodyParser>(of reader: BodyReader<Parser>) throws(NetcoreError) -> Parser.Element? {
        do throws(NetcoreError) {
            return try reader.next()
        } catch {
            cancel()
            throw error
        }
    }
}

/// Refuses a limit of elements that is none.
func checkLimit(_ limit: Int, _ name: String) throws(NetcoreError) {
    guard limit > 0 else { throw NetcoreError(.invalidArgument, argument: name, "must be at least 1 byte") }
}
