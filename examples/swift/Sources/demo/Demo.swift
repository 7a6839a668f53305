import Glibc
import Netcore

/// netcore from Swift.
///
///     demo --tour BASE          one request, 100 at once, a cancel by id, a group; of BASE/small.txt and BASE/slow
///     demo [--ca FILE] URL...   fetches the URLs at once with live progress, and prints a table
@main
enum Demo {
    static func main() async {
        do {
            try await run()
        } catch {
            print("demo: \(error)")
            exit(1)
        }
    }

    private static func run() async throws {
        var arguments = CommandLine.arguments.dropFirst()
        if arguments.count == 2, arguments.first == "--tour", let base = arguments.last {
            try await Tour(client: Client(), base: base).run()
            return
        }
        var options = Client.Options()
        if arguments.count > 2, arguments.first == "--ca" {
            options.caFile = arguments.dropFirst().first
            arguments = arguments.dropFirst(2)
        }
        guard let first = arguments.first, !first.hasPrefix("-") else {
            throw Usage()
        }
        try await Fetch(client: Client(options), urls: Array(arguments)).run()
    }
}

struct Usage: Error, CustomStringConvertible {
    let description = "give --tour BASE, or [--ca FILE] URL..."
}

/// Milliseconds with one digit behind the point.
func milliseconds(_ microseconds: Int) -> String {
    let tenths = (microseconds + 50) / 100
    return "\(tenths / 10).\(tenths % 10)"
}

func milliseconds(_ duration: Duration) -> String {
    milliseconds(Int(duration / .microseconds(1)))
}
