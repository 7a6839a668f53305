internal import Foundation
internal import Netcore
public import NetcoreAPI
public import NetcoreHTTP

extension API where Model: Decodable & Sendable {
    /// The body decoded from JSON, once for each stored answer (``Response/decodeOnce(_:using:)``). A type, or a protocol that the types of a module
    /// conform to, may have another one, with a decoder of its own.
    ///
    /// - Throws: `DecodingError`.
    public func model(of response: Response) throws -> Model { try response.decodeOnce() }
}

extension API where Self: Encodable {
    /// The stored properties, as they are encoded to JSON.
    ///
    /// - Throws: `EncodingError`.
    public var parameters: [String: Parameter.Value] {
        get throws {
            let json = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
            return try JSONObject.parameters(json, "parameters").reduce(into: [:]) { $0[$1.name] = $1.value }
        }
    }
}
