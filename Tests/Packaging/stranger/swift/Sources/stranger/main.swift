// What somebody else's program may look like: prints the version, and fails to reach the URL it is given.
import Netcore

do {
    let response = try await Client().perform(Request("GET", CommandLine.arguments[1]))
    print(response.status)
} catch let error as NetcoreError {
    print(NetcoreVersion.string, error.code.name)
}
