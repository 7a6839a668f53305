public import Netcore
public import NetcoreHTTP

/// An API as a type: an instance is one call of it.
///
///     struct GetPost: API, Encodable {
///         typealias Model = Post
///         static let path = "/posts/{id}"
///         static var module: APIModule? { shop }
///         let id: Int
///     }
///
///     let post = try await client.call(GetPost(id: 7))
///
/// `NetcoreCodable` has the parameters of a type that is `Encodable`, and a model that is `Decodable` and `Sendable`.
public protocol API {
    /// What a call returns: `Response`, `Void`, or with `NetcoreCodable` any type that is `Decodable` and `Sendable`.
    associatedtype Model

    /// "GET" by default.
    static var method: String { get }
    /// The URL: absolute, or relative to that of the module, or of a service of the client. Names in braces are parameters.
    static var path: String { get }
    /// None by default.
    static var module: APIModule? { get }
    /// Those whose place or type matters; all others are put into the path, or go where ``Request/addParameter(_:_:)`` puts them.
    static var described: [APIParameter] { get throws }
    /// Sets whatever a request can be set to; nothing by default.
    static func configure(_ request: inout Request) throws

    /// The values of the call, by name; by default none.
    var parameters: [String: Parameter.Value] { get throws }

    /// What the call returns for an answer.
    func model(of response: Response) throws -> Model
}

extension API {
    public static var method: String { "GET" }
    public static var module: APIModule? { nil }
    public static var described: [APIParameter] { [] }
    public static func configure(_ request: inout Request) {}
    public var parameters: [String: Parameter.Value] { [:] }

    /// The request of the call, to be sent in any way: in a group, as pages, streamed.
    ///
    /// - Parameter module: in place of the type's own, for one that is known only at run time, such as by a base URL of the settings.
    /// - Throws: as ``APIDescription``, and what the type throws.
    public func request(in module: APIModule? = Self.module) throws -> Request {
        let isAbsolute = Self.path.utf8.starts(with: "http:".utf8) || Self.path.utf8.starts(with: "https:".utf8)
        var request = try isAbsolute ? Request(Self.method, Self.path) : Request(Self.method, relative: Self.path)
        try Self.configure(&request)
        var description = try APIDescription(request, module, isOpen: true)
        for parameter in try Self.described { try description.add(parameter) }
        return try description.request(parameters)
    }
}

extension API where Model == Response {
    public func model(of response: Response) -> Response { response }
}

extension API where Model == Void {
    public func model(of response: Response) {}
}

extension Client {
    /// Calls an API. Canceling the surrounding task cancels the transfer.
    ///
    /// - Parameter module: as for ``API/request(in:)``.
    /// - Throws: as ``perform(_:)``, ``APIDescription/request(_:)-swift.method`` and ``API/model(of:)``.
    public func call<Call: API>(_ api: Call, in module: APIModule? = Call.module) async throws -> Call.Model {
        try await api.model(of: perform(api.request(in: module)))
    }

    /// Calls an API, and waits for the answer on this thread.
    public func callBlocking<Call: API>(_ api: Call, in module: APIModule? = Call.module) throws -> Call.Model {
        try api.model(of: performBlocking(api.request(in: module)))
    }

    /// Calls an API that is a value.
    public func call(_ api: APIDescription, _ values: [String: Parameter.Value] = [:]) async throws -> Response {
        try await perform(api.request(values))
    }
}
