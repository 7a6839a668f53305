import Netcore
import NetcoreHTTP
import NetcoreSupport
import Synchronization
import Testing

/// What the C door refuses is refused in Swift, too, with an error that names the option.
@Suite struct OptionCheckTests {
    private let client: Client

    init() throws {
        var options = Client.Options()
        options.transport = { request, hop in try? hop.answer(body: request.body.map { Array($0.bytes) } ?? []) }
        client = try Client(options)
    }

    private func refusal(_ change: (inout Request) throws -> Void) async throws -> NetcoreError {
        var request = try Request("POST", "http://app.test/")
        try change(&request)
        let built = request
        return try await #require(throws: NetcoreError.self) { try await client.perform(built) }
    }

    typealias Change = @Sendable (inout Request) -> Void

    private static let refusals: [(Change, String)] = [
        ({ $0.timeouts.connect = .milliseconds(-1) }, "timeouts.connect"),
        ({ $0.timeouts.firstByte = .seconds(Int64.min) }, "timeouts.firstByte"),
        ({ $0.timeouts.idle = .milliseconds(1 << 31) }, "timeouts.idle"),
        ({ $0.timeouts.total = .seconds(Int64.max) }, "timeouts.total"),
        ({ $0.maximumReceiveRate = -1 }, "maximumReceiveRate"),
        ({ $0.maximumSendRate = .min }, "maximumSendRate"),
        ({ $0.packsBodyFrom = -1 }, "packsBodyFrom"),
        ({ $0.progressInterval = .nanoseconds(-1) }, "progressInterval"),
        ({ $0.networkWait = .zero }, "networkWait"), ({ $0.networkWait = .seconds(86_401) }, "networkWait"),
        ({ $0.cacheOptions.timeToLive = .seconds(-1) }, "cacheOptions.timeToLive"),
        (
            {
                var limits = Limits()
                limits.redirects = -1
                $0.setLimits(limits)
            }, "redirects"
        ),
    ]

    @Test("an option that cannot be is an error of the dispatch", arguments: 0..<refusals.count)
    func refused(number: Int) async throws {
        let (change, option) = Self.refusals[number]
        let error = try await refusal { change(&$0) }
        #expect(error.code == .invalidArgument && error.argument == option)
    }

    @Test("a field of the cache's key must be a token")
    func keyField() async throws {
        let error = try await refusal { $0.cacheOptions.keyFields = ["Accept", "a b"] }
        #expect(error.code == .invalidHeader && error.argument == "cacheOptions.keyFields")
    }

    @Test("zero is no limit")
    func zero() async throws {
        var request = try Request("POST", "http://app.test/")
        try request.setBody(Array("body".utf8))
        request.maximumReceiveRate = 0
        request.maximumSendRate = 0
        request.timeouts.connect = .zero
        request.timeouts.total = .zero
        try request.setMinimumReceiveRate(0)
        #expect(
            request.maximumReceiveRate == nil && request.maximumSendRate == nil && request.minimumReceiveRate == nil)
        #expect(request.timeouts.connect == nil && request.timeouts.total == nil)
        #expect(try await client.perform(request).text == "body")
    }

    @Test("a minimum rate that cannot be is refused when it is set")
    func minimumRate() throws {
        var request = try Request("GET", "http://app.test/")
        for (rate, window) in [(-1, Duration.seconds(1)), (1, .zero), (1, .seconds(Int64.min)), (1 << 41, .seconds(1))]
        {
            let error = #expect(throws: NetcoreError.self) { try request.setMinimumReceiveRate(rate, window: window) }
            #expect(error?.code == .invalidArgument)
        }
    }

    @Test("common parameters are checked when they are set")
    func commonParameters() throws {
        for value in [Parameter.Value.double(.nan), .json("{")] {
            #expect(throws: NetcoreError.self) { try client.setCommonParameter("a", value) }
            #expect(throws: NetcoreError.self) { try client.addCommonParameter("a", value) }
        }
        #expect(throws: NetcoreError.self) { try client.setCommonParameter("", current: { "1" }) }
        #expect(client.commonParameters.isEmpty)
    }

    @Test("limits of a client have a least value, and a refused change leaves them as they were")
    func limits() throws {
        let error = #expect(throws: NetcoreError.self) {
            try client.setLimits {
                $0.queueLength = 7
                $0.transfers = 0
            }
        }
        #expect(error?.argument == "transfers" && client.limits == ClientLimits())
        var options = Client.Options()
        options.limits.task.bodyBytes = -1
        #expect(throws: NetcoreError.self) { try Client(options) }
    }

    @Test("a reader that can be rewound is read again by a second request, one that cannot is not")
    func sharedReader() async throws {
        let isAtEnd = Atomic(false)
        let read: @Sendable (UnsafeMutableRawBufferPointer) -> Int = { room in
            guard !isAtEnd.exchange(true, ordering: .relaxed) else { return 0 }
            room.copyBytes(from: "ab".utf8)
            return 2
        }
        let rewind: @Sendable () -> Void = { isAtEnd.store(false, ordering: .relaxed) }
        var request = try Request("POST", "http://app.test/")
        try request.setBody(BodyStream(length: 2, read: read, rewind: rewind))
        #expect(try await client.perform(request).text == "ab")
        #expect(try await client.perform(request).text == "ab")
        rewind()
        try request.setBody(BodyStream(length: 2, read: read, rewind: nil))
        #expect(try await client.perform(request).text == "ab")
        let again = request
        let error = try await #require(throws: NetcoreError.self) { try await client.perform(again) }
        #expect(error.code == .bodyRewind)
    }
}
