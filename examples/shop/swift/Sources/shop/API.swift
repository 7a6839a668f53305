import Netcore
import NetcoreAPI
import NetcoreCodable

// The shop's API: a type for each request, whose stored properties are its parameters.

struct LogIn: API, Encodable {
    typealias Model = Tokens
    static let method = "POST"
    static let path = "login"
    static func configure(_ request: inout Request) { request.isBare = true }
    let name: String
    let password: String
}

struct RenewTokens: API, Encodable {
    typealias Model = Tokens
    static let method = "POST"
    static let path = "token"
    static func configure(_ request: inout Request) { request.isBare = true }
    let refreshToken: String

    enum CodingKeys: String, CodingKey {
        case refreshToken = "refresh_token"
    }
}

struct GetProducts: API {
    typealias Model = [Product]
    static let path = "products"
}

struct GetProduct: API, Encodable {
    typealias Model = Product
    static let path = "products/{id}"
    static func configure(_ request: inout Request) { request.tags = ["product:{id}"] }
    let id: Int
}

struct Buy: API, Encodable {
    typealias Model = Order
    static let method = "POST"
    static let path = "orders"
    static func configure(_ request: inout Request) { request.invalidatedTags = ["product:{product}"] }
    let product: Int
    let count: Int
}

/// With the picture as a part.
struct AddPicture: API, Encodable {
    typealias Model = Picture
    static let method = "POST"
    static let path = "products/{id}/pictures"
    static func configure(_ request: inout Request) { request.invalidatedTags = ["product:{id}"] }
    let id: Int
}

extension ApplicationCode {
    static let loggedOut = Self(rawValue: 1303)
}

extension ErrorTable {
    /// What the code in the body of an error means, and what is shown to people.
    static func shop() throws -> ErrorTable {
        try ErrorTable(
            codeField: "/code",
            [
                Row(1301, value: "301", message: "There is no such product."),
                Row(1302, value: "302", message: "The name or the password is wrong."),
                Row(ApplicationCode.loggedOut.rawValue, value: "303", message: "Please log in first."),
                Row(1304, value: "304", message: "The shop does not have that many."),
                Row(1305, value: "305", message: "Something about that is not as it should be."),
                Row(1306, value: "306", message: "A picture must be a PNG or JPEG file."),
                Row(1307, value: "307", message: "The picture is too large."),
                Row(1308, value: "308", message: "The shop is busy. Please try again in a minute."),
            ])
    }
}
