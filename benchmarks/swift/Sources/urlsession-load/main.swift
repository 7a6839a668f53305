// What plain.c does, by Foundation's URLSession.
import BenchWindow
import Foundation
import FoundationNetworking

let options = Options(CommandLine.arguments)
let window = Window(options)
guard let url = URL(string: options.url) else { exit(2) }

let configuration = URLSessionConfiguration.ephemeral
configuration.urlCache = nil
configuration.httpMaximumConnectionsPerHost = options.concurrency
let session = URLSession(configuration: configuration)

window.run(client: "urlsession") {
    guard let (body, response) = try? await session.data(from: url), let answer = response as? HTTPURLResponse else {
        return (false, 0)
    }
    let type = answer.value(forHTTPHeaderField: "content-type")
    return (answer.statusCode == 200 && type != nil && !body.isEmpty, body.count)
}
