import Glibc
import Netcore
import Synchronization

/// Fetches URLs at once, with live progress, and prints a table.
final class Fetch: Sendable {
    let client: Client
    let urls: [String]
    private let results: Mutex<[Result<Response, NetcoreError>?]>

    init(client: Client, urls: [String]) {
        self.client = client
        self.urls = urls
        results = Mutex(Array(repeating: nil, count: urls.count))
    }

    func run() async throws {
        let tasks = try urls.enumerated().map { index, url in
            try client.dispatch(Request("GET", url)) { result in
                self.results.withLock { $0[index] = result }
            }
        }
        printProgress(of: tasks, isFirst: true)
        while results.withLock({ $0.contains { $0 == nil } }) {
            try await Task.sleep(for: .milliseconds(50))
            printProgress(of: tasks, isFirst: false)
        }
        let failed = printTable()
        if failed > 0 { throw Failed(count: failed) }
    }

    /// Prints a line for each URL, over the lines of the last time. Only on a terminal.
    private func printProgress(of tasks: [RequestTask], isFirst: Bool) {
        guard isatty(STDOUT_FILENO) == 1 else { return }
        if !isFirst { print("\u{1B}[\(tasks.count)A", terminator: "") }
        print("\u{1B}[?7l", terminator: "")  // a narrow terminal cuts lines, and does not wrap them
        for (url, task) in zip(urls, tasks) {
            let progress = task.progress
            let percent = progress.expected.map { $0 > 0 ? "\(100 * progress.received / $0) %" : "" } ?? ""
            let state = padded("\(task.state)", -10)
            let received = padded("\(progress.received)", 12)
            print("\(state) \(received) bytes \(padded(percent, 5))  \(url.prefix(60))\u{1B}[K")
        }
        print("\u{1B}[?7h", terminator: "")
        fflush(nil)
    }

    /// Answers how many failed.
    private func printTable() -> Int {
        let titles = ["total ms", "queue", "dns", "connect", "tls", "first byte"].map { padded($0, 10) }
        print("status protocol      bytes \(titles.joined(separator: " "))  url")
        var failed = 0
        for (url, result) in zip(urls, results.withLock { $0 }) {
            switch result {
            case .success(let response): print("\(row(response))  \(url.prefix(60))")
            case .failure(let error):
                print("failed  \(error)")
                failed += 1
            case nil: break
            }
        }
        return failed
    }

    private func row(_ response: Response) -> String {
        let timings = response.timings
        let phases = [
            timings.total, timings.queue, timings.dns, timings.connect, timings.tls, timings.firstByte,
        ].map { padded($0.map(milliseconds) ?? "-", 10) }
        let version = padded(response.version.map(String.init(describing:)) ?? "-", -8)
        let size = padded("\(response.withBody { $0.count })", 10)
        return "\(padded("\(response.status)", 6)) \(version) \(size) \(phases.joined(separator: " "))"
    }
}

struct Failed: Error, CustomStringConvertible {
    let count: Int
    var description: String { "\(count) failed" }
}

/// Text brought to a width with spaces before it, or, with a negative width, behind it.
func padded(_ text: String, _ width: Int) -> String {
    let spaces = String(repeating: " ", count: max(0, abs(width) - text.count))
    return width < 0 ? text + spaces : spaces + text
}
