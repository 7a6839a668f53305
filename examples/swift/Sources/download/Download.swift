// A download with a progress bar: download URL FILE. Run again after it was stopped, it goes on where it was.

import Glibc
import Netcore

@main
struct Download {
    static let barWidth = 30

    static func main() async {
        guard CommandLine.arguments.count == 3 else { return end("usage: download URL FILE", 2) }
        let path = CommandLine.arguments[2]
        do {
            let client = try Client()
            let request = try Request("GET", CommandLine.arguments[1])
            let info = try await client.download(request, to: path, onProgress: show)
            print("\n\(path): \(info.size) bytes, \(info.resumedFrom) of them were there")
            client.destroy()
        } catch {
            end("\ndownload: \(error)", 1)
        }
    }

    @Sendable static func show(_ progress: DownloadProgress) {
        var line = "\(tenths(progress.size)) MB  \(tenths(progress.bytesPerSecond ?? 0)) MB/s "
        if let total = progress.total {
            let share = total == 0 ? 1 : Double(progress.size) / Double(total)
            let done = Int(share * Double(barWidth))
            let bar = String(repeating: "#", count: done) + String(repeating: " ", count: barWidth - done)
            line = "[\(bar)] \(Int(share * 100)) %  \(line)"
        }
        print("\r\(line)", terminator: "")
        fflush(nil)
    }

    /// Megabytes with one digit after the point.
    static func tenths(_ bytes: Int) -> String { "\(bytes / 1_000_000).\(bytes / 100_000 % 10)" }

    static func end(_ message: String, _ code: Int32) {
        let line = Array("\(message)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
        exit(code)
    }
}
