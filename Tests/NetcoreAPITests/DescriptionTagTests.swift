import Netcore
import NetcoreAPI
import NetcoreCodable
import NetcoreHTTP
import Testing

/// Tags of API descriptions that name parameters.
@Suite struct DescriptionTagTests {
    private static func description(_ tags: [String], invalidating: [String] = []) throws -> APIDescription {
        var request = try Request("POST", "https://api.test/posts/{id}")
        request.tags = tags
        request.invalidatedTags = invalidating
        var description = try APIDescription(request)
        try description.add(APIParameter("author", type: "string?"))
        return description
    }

    @Test(
        "a parameter that a tag names in braces stands for its value; without one the tag is left out",
        arguments: [
            (["id": .integer(7)], ["posts", "post:7"]),
            (["id": .string("a/b"), "author": .string("ann")], ["posts", "post:a/b", "by:ann:a/b"]),
            (["id": .json("7"), "author": .null], ["posts", "post:7"]),
        ] as [([String: Parameter.Value], [String])])
    func tags(values: [String: Parameter.Value], expected: [String]) throws {
        let tags = ["posts", "post:{id}", "by:{author}:{id}"]
        let request = try Self.description(tags, invalidating: tags).request(values)
        #expect(request.tags == expected)
        #expect(request.invalidatedTags == expected)
    }

    @Test("a tag that names no parameter is refused by the call, and one that is no template stays as it is")
    func refused() throws {
        let error = #expect(throws: NetcoreError.self) {
            try Self.description(["post:{number}"]).request(["id": .integer(7)])
        }
        #expect(error?.code == .invalidParam && error?.argument == "number")
        #expect(try Self.description(["{", "a}b", "{}"]).request(["id": .integer(7)]).tags == ["{", "a}b", "{}"])
    }

    struct GetPosts: API, Encodable {
        typealias Model = Response
        static let path = "https://api.test/posts"
        static func configure(_ request: inout Request) { request.tags = ["posts", "by:{author}"] }
        var author: String?
    }

    @Test("properties of a type that are nil leave their tags out")
    func types() throws {
        #expect(try GetPosts().request().tags == ["posts"])
        #expect(try GetPosts(author: "ann").request().tags == ["posts", "by:ann"])
    }
}
