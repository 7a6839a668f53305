import Foundation
import Netcore
import NetcoreCodable
import NetcoreHTTP
import Synchronization
import Testing

/// Models of JSON bodies, kept beside stored answers.
@Suite(.serialized) struct ModelTests {
    /// Counts how often one is decoded.
    private struct Item: Decodable, Sendable, Equatable {
        nonisolated(unsafe) static var made = 0  // by one test at a time, on its thread
        let itemId: Int

        enum CodingKeys: String, CodingKey { case itemId }

        init(from decoder: any Decoder) throws {
            itemId = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .itemId)
            Self.made += 1
        }
    }

    private static func client(_ fields: [(name: String, value: String)]) throws -> Client {
        var options = Client.Options()
        options.cache = Cache()
        options.transport = { request, hop in
            let body = request.urlString.utf8.last == UInt8(ascii: "s") ? #"{"item_id":7}"# : #"{"itemId":7}"#
            try? hop.answer(200, fields, body: Array(body.utf8))
        }
        return try Client(options)
    }

    @Test("a stored answer is decoded once by each decoder, and one that is not stored each time")
    func once() throws {
        let snake = JSONDecoder()
        snake.keyDecodingStrategy = .convertFromSnakeCase
        let client = try Self.client([("Cache-Control", "max-age=60")])
        let plain = try Request("GET", "http://app.test/plain")
        let snakes = try Request("GET", "http://app.test/snakes")
        Item.made = 0
        for _ in 0..<3 {
            #expect(try client.performBlocking(plain).decodeOnce(Item.self).itemId == 7)
            #expect(try client.performBlocking(snakes).decodeOnce(Item.self, using: snake).itemId == 7)
        }
        #expect(Item.made == 2)
        #expect(throws: DecodingError.self) { try client.performBlocking(snakes).decodeOnce(Item.self) }
        #expect(try client.performBlocking(plain).decodeOnce(Item.self, using: snake).itemId == 7)
        #expect(Item.made == 3)
        #expect(try client.performBlocking(plain).decode(Item.self).itemId == 7)
        #expect(Item.made == 4)
        client.destroy()
        let other = try Self.client([("Cache-Control", "no-store")])
        for _ in 0..<2 { _ = try other.performBlocking(plain).decodeOnce(Item.self) }
        #expect(Item.made == 6)
        other.destroy()
    }

    @Test("a value of the application's own stays beside its answer")
    func own() throws {
        let client = try Self.client([("Cache-Control", "max-age=60")])
        let request = try Request("GET", "http://app.test/plain")
        #expect(try client.performBlocking(request).setCachedValue("mine", size: 4))
        #expect(try client.performBlocking(request).decodeOnce(Item.self).itemId == 7)
        #expect(try client.performBlocking(request).cachedValue(String.self) == "mine")
        client.destroy()
    }
}
