public import Foundation
public import NetcoreAPI

extension Page {
    /// The items decoded from JSON; none if the page has no list.
    ///
    /// - Throws: `DecodingError`.
    public func decodeItems<Model: Decodable>(
        _ type: Model.Type = Model.self, using decoder: JSONDecoder = JSONDecoder()
    ) throws -> [Model] {
        try (items ?? []).map { try decoder.decode(type, from: Data($0.utf8)) }
    }
}

extension Pages {
    /// The items of the pages after the one that was loaded last, at the beginning of all, decoded from JSON. Iterating throws
    /// `DecodingError` for an item of another kind.
    public func items<Model: Decodable & Sendable>(
        as type: Model.Type, using decoder: JSONDecoder = JSONDecoder()
    ) -> AsyncThrowingMapSequence<PageItems, Model> {
        items.map { try decoder.decode(type, from: Data($0.utf8)) }
    }
}
