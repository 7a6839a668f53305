// What plain.c does, by netcore's async Swift API.
import BenchWindow
import Netcore

let options = Options(CommandLine.arguments)
let window = Window(options)
var clientOptions = Client.Options()
clientOptions.limits.transfersPerHost = options.concurrency
let client = try Client(clientOptions)
let request = try Request("GET", options.url)

window.run(client: "netcore-swift") {
    guard let response = try? await client.perform(request) else { return (false, 0) }
    let type = response.headers["content-type"]
    let size = response.withBody { $0.count }
    return (response.status == 200 && type != nil && size > 0, size)
}
