internal import Foundation
internal import Netcore
public import NetcoreAPI
public import NetcoreHTTP

extension API where Model: Decodable {
    /// The body decoded from JSON.
    ///
    /// - Throws: `DecodingError`.
    public func model(of response: Response) throws -> Model { try response.decode() }
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
