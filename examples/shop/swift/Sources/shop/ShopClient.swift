import Foundation
import Netcore
import NetcoreAPI
import NetcoreCodable

/// The shop, with a method for each thing that the application does. Each throws ``ShopError``.
final class ShopClient: Sendable {
    /// To whom stored answers belong that are the same for all users: they outlast a token.
    private static let everyone = "everyone"

    private let client: Client
    private let session: Session
    private let url: String
    private let sendRate: Int?

    /// - Parameters:
    ///   - folder: for what is kept between two starts: stored answers and tokens.
    ///   - cassette: in place of the network, for tests.
    ///   - sendRate: bytes of an upload per second, at most.
    init(_ url: String, folder: URL, cassette: Cassette? = nil, sendRate: Int? = nil) throws {
        var stored = Cache.Options()
        stored.folder = folder.appendingPathComponent("cache").path
        stored.servesStaleWhenDisconnected = true
        var policy = RetryPolicy()
        policy.baseDelay = .milliseconds(50)
        policy.makesIdempotencyKeys = true
        var options = Client.Options()
        options.cache = Cache(stored)
        options.retries = policy
        options.transport = cassette?.transport
        client = try Client(options)
        session = Session(folder.appendingPathComponent("session"))
        self.url = url
        self.sendRate = sendRate
        try client.addService("shop", baseURL: url)
        try client.setRequestDefaults {
            $0.acceptedStatuses = .success
            $0.timeouts.connect = .seconds(5)
            $0.timeouts.total = .seconds(60)
        }
        try client.setTokenSource(url, awaiting: { [weak self] refused in try await self?.token(after: refused) })
    }

    func close() { client.destroy() }

    func logIn(name: String, password: String) async throws {
        try await explaining {
            session.set(try await tokens("login", ["name": name, "password": password]))
        }
    }

    /// All products, page by page; without a connection those of the last visit.
    func products() async throws -> (products: [Product], isStale: Bool) {
        try await explaining {
            var request = try Request("GET", relative: "products")
            request.cacheOptions.scope = Self.everyone
            var products: [Product] = []
            var isStale = false
            for try await page in try Pages(client, request, options: PageOptions(.linkHeader)) {
                products += try page.decodeItems()
                isStale = isStale || page.response.cacheResult == .staleHit
            }
            return (products, isStale)
        }
    }

    func product(_ id: Int) async throws -> Product {
        try await explaining {
            var request = try Request("GET", relative: "products/\(id)")
            request.cacheOptions.scope = Self.everyone
            request.tags = [Self.tag(id)]
            return try await client.perform(request).decode()
        }
    }

    func buy(_ id: Int, count: Int) async throws -> Order {
        try await explaining {
            var request = try Request("POST", relative: "orders")
            try request.setBody(json: ["product": id, "count": count])
            request.invalidatedTags = [Self.tag(id)]
            return try await client.perform(request).decode()
        }
    }

    func upload(_ id: Int, file: String, onProgress: @escaping @Sendable (Double) -> Void) async throws -> Picture {
        try await explaining {
            var request = try Request("POST", relative: "products/\(id)/pictures")
            try request.addPart(Part("picture", .file(file)))
            request.maximumSendRate = sendRate
            request.invalidatedTags = [Self.tag(id)]
            let response = try await client.perform(request) { progress in
                if let total = progress.toSend, total > 0 { onProgress(Double(progress.sent) / Double(total)) }
            }
            return try response.decode()
        }
    }

    private static func tag(_ product: Int) -> String { "product:\(product)" }

    private func explaining<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch {
            throw ShopError(error)
        }
    }

    // MARK: Tokens

    /// The token for a request; another one after the server refused the last.
    private func token(after refused: String?) async throws -> String? {
        guard let tokens = session.tokens, tokens.accessToken == refused else { return session.tokens?.accessToken }
        do {
            session.set(try await self.tokens("token", ["refresh_token": tokens.refreshToken]))
        } catch {
            guard ShopError(error).code == ShopError.isLoggedOut else { throw error }
            session.set(nil)
        }
        return session.tokens?.accessToken
    }

    /// Tokens are asked for without a token: by a bare request.
    private func tokens(_ path: String, _ body: [String: String]) async throws -> Tokens {
        var request = try Request("POST", "\(url)/\(path)")
        request.isBare = true
        request.acceptedStatuses = .success
        try request.setBody(json: body)
        return try await client.perform(request).decode()
    }
}
