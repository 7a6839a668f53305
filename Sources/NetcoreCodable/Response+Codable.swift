public import Foundation
public import Netcore

extension Response {
    /// The body as Foundation's `Data`; a copy.
    public var data: Data { withBody { Data($0) } }

    /// The body decoded from JSON.
    ///
    /// - Throws: `DecodingError`.
    public func decode<Model: Decodable>(
        _ type: Model.Type = Model.self, using decoder: JSONDecoder = JSONDecoder()
    ) throws -> Model {
        try decoder.decode(type, from: data)
    }
}

extension Request {
    /// A request for a `URL`.
    public init(_ method: String = "GET", _ url: URL) throws(NetcoreError) {
        try self.init(method, url.absoluteString)
    }

    /// Sets a JSON body, and its Content-Type unless the request has one.
    ///
    /// - Throws: `EncodingError`, or ``NetcoreError`` when memory ran out.
    public mutating func setBody<Model: Encodable>(
        json model: Model, using encoder: JSONEncoder = JSONEncoder()
    ) throws {
        try setBody(Array(encoder.encode(model)))
        if !hasHeader("Content-Type") { try setHeader("Content-Type", "application/json") }
    }
}
