import NetcoreCodable

struct Picture: Decodable {
    let id: Int
    let type: String
    let size: Int
}

struct Product: Decodable {
    let id: Int
    let name: String
    /// In cents.
    let price: Int
    let stock: Int
    /// Only in the answer for one product.
    let pictures: [Picture]?
}

struct Order: Codable {
    let id: Int
    let product: Int
    let count: Int
    let total: Int
}

struct Tokens: Codable {
    let accessToken: String
    let refreshToken: String

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
    }
}
