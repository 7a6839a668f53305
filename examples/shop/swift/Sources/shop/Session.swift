import Foundation
import Synchronization

/// The tokens of who is logged in, in a file that only this user can read.
final class Session: Sendable {
    private let file: URL
    private let current: Mutex<Tokens?>

    init(_ file: URL) {
        self.file = file
        let lines = (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
        current = Mutex(lines.count == 2 ? Tokens(accessToken: lines[0], refreshToken: lines[1]) : nil)
    }

    var tokens: Tokens? { current.withLock { $0 } }

    func set(_ tokens: Tokens?) {
        current.withLock { $0 = tokens }
        let text = tokens.map { "\($0.accessToken)\n\($0.refreshToken)\n" } ?? ""
        let new = file.appendingPathExtension("new").path
        // A file that cannot be written means to log in again at the next start.
        let mine: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        if FileManager.default.createFile(atPath: new, contents: Data(text.utf8), attributes: mine) {
            rename(new, file.path)
        }
    }
}
