import NetcoreHTTP
import NetcoreSupport
import Testing

@testable import NetcoreTransport

@Suite struct BodyFeedTests {
    /// Wakes whoever takes from a feed.
    private final class Bell: @unchecked Sendable {  // under the condition's lock
        private let condition = Condition()
        private var rings = 0

        func ring() {
            condition.lock.withLock {
                rings += 1
                condition.signal()
            }
        }

        func wait() {
            condition.lock.withLock {
                while rings == 0 { condition.wait() }
                rings -= 1
            }
        }
    }

    /// Takes up to `most` bytes, waiting where there is nothing yet.
    private func take(_ feed: BodyFeed, _ bell: Bell, most: Int = .max) throws -> [UInt8] {
        var result: [UInt8] = []
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1000, alignment: 1)
        defer { room.deallocate() }
        while result.count < most {
            switch feed.take(into: UnsafeMutableRawBufferPointer(rebasing: room.prefix(min(1000, most - result.count))))
            {
            case .bytes(let size): result += room[..<size]
            case .empty: bell.wait()
            case .end: return result
            case .failed(let error): throw error
            }
        }
        return result
    }

    private func body(_ stream: BodyStream) -> StreamedBody {
        StreamedBody([BodyPiece(.stream(stream), label: "stream", length: stream.length)])
    }

    /// `count` bytes, each the low part of its place.
    private func counting(_ count: Int, onEnd: @escaping @Sendable () throws -> Void = {}) -> BodyStream {
        BodyStream {
            var place = 0
            return { room in
                let size = min(room.count, count - place, 7001)
                if size == 0 { try onEnd() }
                for index in 0..<size { room[index] = UInt8(truncatingIfNeeded: place + index) }
                place += size
                return size
            }
        }
    }

    private func expected(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0) } }

    @Test("all bytes arrive in order, and then the end", arguments: [0, 1, 64 << 10, 1_000_000])
    func order(count: Int) throws {
        let bell = Bell()
        let feed = BodyFeed(body(counting(count))) { _ in bell.ring() }
        #expect(try take(feed, bell) == expected(count))
        #expect(try take(feed, bell) == [])
        feed.cancel()
    }

    @Test("a restart begins at the first byte, wherever it comes", arguments: [1, 5000, 300_000])
    func restart(taken: Int) throws {
        let bell = Bell()
        let feed = BodyFeed(body(counting(300_000))) { _ in bell.ring() }
        #expect(try take(feed, bell, most: taken) == Array(expected(300_000).prefix(taken)))
        feed.restart()
        #expect(try take(feed, bell) == expected(300_000))
        feed.cancel()
    }

    @Test("bytes before an error are handed out before it")
    func failure() throws {
        struct Broken: Error {}
        let bell = Bell()
        let feed = BodyFeed(body(counting(100_000) { throw Broken() })) { _ in bell.ring() }
        #expect(try take(feed, bell, most: 100_000).count == 100_000)
        #expect(throws: NetcoreError.self) { try take(feed, bell) }
        feed.cancel()
    }

    private final class Watch: Sendable {
        let gone: Bell

        init(_ gone: Bell) { self.gone = gone }

        deinit { gone.ring() }
    }

    private final class Seen: @unchecked Sendable {  // under `lock`
        let lock = Lock()
        var reading: BodyReading?
        var isCanceled: Bool? { lock.withLock { reading?.isCanceled } }
    }

    @Test("a canceled feed says so to its reader at once, and lets go of the body when that returns")
    func cancel() throws {
        let inside = Bell()
        let leave = Bell()
        let gone = Bell()
        let seen = Seen()
        var feed: BodyFeed? = feed(until: leave, inside, Watch(gone), seen)
        inside.wait()
        #expect(seen.isCanceled == false)
        feed?.cancel()
        feed = nil
        #expect(seen.isCanceled == true)
        leave.ring()
        gone.wait()
    }

    /// A feed with a body of its own.
    private func feed(until leave: Bell, _ inside: Bell, _ watch: Watch, _ seen: Seen) -> BodyFeed {
        let stream = BodyStream(
            length: nil,
            opening: { reading in
                seen.lock.withLock { seen.reading = reading }
                return { _ in
                    _ = watch
                    inside.ring()
                    leave.wait()
                    return 0
                }
            })
        return BodyFeed(body(stream)) { _ in }
    }
}
