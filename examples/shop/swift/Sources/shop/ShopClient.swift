import Foundation
import Netcore
import NetcoreAPI
import NetcoreCodable

/// The shop, with a method for each thing that the application does.
final class ShopClient: Sendable {
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
            $0.errorTable = try .shop()
            $0.serializer = .json
            // Stored answers belong to everyone: those of a token would be of no use after the next one.
            $0.cacheOptions.scope = "everyone"
            $0.timeouts.connect = .seconds(5)
            $0.timeouts.total = .seconds(60)
        }
        try client.setTokenSource(url, awaiting: { [weak self] refused in try await self?.token(after: refused) })
    }

    func close() { client.destroy() }

    func logIn(name: String, password: String) async throws {
        session.set(try await tokens(LogIn(name: name, password: password)))
    }

    /// All products, page by page; without a connection those of the last visit.
    func products() async throws -> (products: [Product], isStale: Bool) {
        var products: [Product] = []
        var isStale = false
        for try await page in try Pages(client, GetProducts().request(), options: PageOptions(.linkHeader)) {
            products += try page.decodeItems()
            isStale = isStale || page.response.cacheResult == .staleHit
        }
        return (products, isStale)
    }

    func product(_ id: Int) async throws -> Product { try await client.call(GetProduct(id: id)) }

    func buy(_ id: Int, count: Int) async throws -> Order { try await client.call(Buy(product: id, count: count)) }

    func upload(_ id: Int, file: String, onProgress: @escaping @Sendable (Double) -> Void) async throws -> Picture {
        let call = AddPicture(id: id)
        var request = try call.request()
        try request.addPart(Part("picture", .file(file)))
        request.maximumSendRate = sendRate
        let response = try await client.perform(request) { progress in
            if let total = progress.toSend, total > 0 { onProgress(Double(progress.sent) / Double(total)) }
        }
        return try call.model(of: response)
    }

    // MARK: Tokens

    /// The token for a request; another one after the server refused the last.
    private func token(after refused: String?) async throws -> String? {
        guard let tokens = session.tokens, tokens.accessToken == refused else { return session.tokens?.accessToken }
        do {
            session.set(try await self.tokens(RenewTokens(refreshToken: tokens.refreshToken)))
        } catch let error as NetcoreError where error.applicationCode == .loggedOut {
            session.set(nil)
        }
        return session.tokens?.accessToken
    }

    /// Tokens are asked for without a token: by a bare request, which says itself where the shop is.
    private func tokens<Call: API>(_ call: Call) async throws -> Tokens where Call.Model == Tokens {
        var request = try call.request()
        try request.setBaseURL(url)
        return try await call.model(of: client.perform(request))
    }
}
