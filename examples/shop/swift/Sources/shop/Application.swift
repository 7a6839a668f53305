import Foundation
import Netcore

/// An application of a shop's customers:
///
///     shop [--folder FOLDER] [--cassette FILE] [--send-rate BYTES] URL [COMMAND]
///
/// Without a command it reads commands from standard input, one a line; README.md says which there are. ``ShopClient`` is what an
/// application has of the shop's API.
@main
struct Application {
    private static let barWidth = 30
    private static let usages = ["login NAME PASSWORD", "list", "show ID", "buy ID COUNT", "upload ID FILE"]

    let shop: ShopClient

    static func main() async {
        do {
            exit(try await run(Array(CommandLine.arguments.dropFirst())) ? 0 : 1)
        } catch {
            say("shop: \(error)\n")
            exit(2)
        }
    }

    private static func run(_ arguments: [String]) async throws -> Bool {
        var options: [String: String] = [:]
        var rest = arguments[...]
        while let name = rest.first, name.hasPrefix("--"), rest.count > 1 {
            options[name] = rest[rest.startIndex + 1]
            rest = rest.dropFirst(2)
        }
        guard let url = rest.popFirst() else { throw Usage() }
        let folder = URL(fileURLWithPath: options["--folder"] ?? ".shop")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var secrets = Cassette.Options()
        secrets.secretParameters = ["password", "access_token", "refresh_token"]
        let cassette = try options["--cassette"].map { try Cassette($0, options: secrets) }
        for code in [ApplicationCode.cannotConnect, .timeout] {
            ErrorCatalogue.set(code, "The shop cannot be reached. Are you online?")
        }
        let rate = options["--send-rate"].flatMap { Int($0) }
        let shop = try ShopClient(url, folder: folder, cassette: cassette, sendRate: rate)
        let application = Application(shop: shop)
        var succeeded = true
        if rest.isEmpty {
            while let line = readLine() {
                succeeded = await application.run(line.split(separator: " ").map(String.init)) && succeeded
            }
        } else {
            succeeded = await application.run(Array(rest))
        }
        shop.close()
        try cassette?.save()
        return succeeded
    }

    /// Runs a command, and returns whether it succeeded.
    private func run(_ words: [String]) async -> Bool {
        guard let name = words.first else { return true }
        do {
            try await perform(name, Array(words.dropFirst()))
            return true
        } catch let error as NetcoreError {
            print("shop: \(error.userMessage)")
        } catch is DecodingError {
            print("shop: \(ErrorCatalogue.message(.invalidAnswer) ?? "")")
        } catch {
            let usage = Self.usages.first { $0.split(separator: " ").first.map(String.init) == name }
            print("shop: usage: \(usage ?? Self.usages.joined(separator: ", "))")
        }
        return false
    }

    private func perform(_ name: String, _ words: [String]) async throws {
        switch (name, words.count) {
        case ("login", 2):
            try await shop.logIn(name: words[0], password: words[1])
            print("Welcome, \(words[0]).")
        case ("list", 0): try await list()
        case ("show", 1): try await show(number(words[0]))
        case ("buy", 2):
            let order = try await shop.buy(number(words[0]), count: number(words[1]))
            print("Order \(order.id): \(order.count) for \(euros(order.total))")
        case ("upload", 2):
            let picture = try await shop.upload(number(words[0]), file: words[1], onProgress: Self.showShare)
            Self.showShare(1)
            say("\n")
            print("Picture \(picture.id): \(picture.type), \(picture.size) bytes")
        default: throw Usage()
        }
    }

    private func list() async throws {
        let (products, isStale) = try await shop.products()
        products.forEach(show)
        print("\(products.count) products\(isStale ? ", as of your last visit: the shop cannot be reached" : "")")
    }

    private func show(_ id: Int) async throws {
        let product = try await shop.product(id)
        show(product)
        for picture in product.pictures ?? [] {
            print("      picture \(picture.id): \(picture.type), \(picture.size) bytes")
        }
    }

    private func show(_ product: Product) {
        let id = padded("\(product.id)", to: -4)
        let price = padded(euros(product.price), to: -8)
        print("\(id)  \(padded(product.name, to: 20)) \(price)  \(product.stock) left")
    }

    @Sendable private static func showShare(_ share: Double) {
        let done = Int(share * Double(barWidth))
        let bar = String(repeating: "#", count: done) + String(repeating: " ", count: barWidth - done)
        say("\r[\(bar)] \(padded("\(Int(share * 100))", to: -3))%")
    }
}

struct Usage: Error, CustomStringConvertible {
    let description = "usage: shop [--folder FOLDER] [--cassette FILE] [--send-rate BYTES] URL [COMMAND]"
}

/// Writes beside the output.
private func say(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

private func number(_ word: String) throws -> Int {
    guard let number = Int(word) else { throw Usage() }
    return number
}

private func euros(_ cents: Int) -> String { "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)" }

/// Text brought to a width with spaces after it, or, with a negative width, before it.
private func padded(_ text: String, to width: Int) -> String {
    let spaces = String(repeating: " ", count: max(0, abs(width) - text.count))
    return width < 0 ? spaces + text : text + spaces
}
