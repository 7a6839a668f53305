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

    /// The body decoded from JSON: once for each stored answer. The value is kept beside the answer for as long as a cache has that in memory,
    /// so that a hit with the same type and decoder does not decode it again. Not where ``setCachedValue(_:size:)`` has put a value of
    /// another kind there.
    ///
    /// - Parameter decoder: with strategies for keys and dates, for example, which must not change any more; nil for one as it is made.
    ///   Another object is another decoder: keep it where calls share it.
    /// - Throws: `DecodingError`.
    public func decodeOnce<Model: Decodable & Sendable>(
        _ type: Model.Type = Model.self, using decoder: JSONDecoder? = nil
    ) throws -> Model {
        if let kept = cachedValue(KeptModel<Model>.self), kept.decoder === decoder { return kept.model }
        let model = try (decoder ?? JSONDecoder()).decode(type, from: data)
        if !hasCachedValue { setCachedValue(KeptModel(model: model, decoder: decoder), size: withBody { $0.count }) }
        return model
    }
}

/// What a body was decoded to, and by what.
private struct KeptModel<Model: Sendable>: Sendable {
    let model: Model
    let decoder: JSONDecoder?
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
