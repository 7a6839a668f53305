import Glibc

/// A folder with a file of cookies in it.
typealias CookieFolder = ModelFolder

extension CookieFolder {
    var file: String { path + "/cookies.txt" }

    var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    func write(_ text: String) {
        guard let file = fopen(file, "w") else { return }
        text.withCString { _ = fwrite($0, 1, text.utf8.count, file) }
        fclose(file)
        chmod(self.file, 0o644)
    }

    static func text(of path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// Type and permissions, links not followed; 0 when there is nothing.
    static func mode(of path: String) -> mode_t {
        var information = stat()
        return lstat(path, &information) == 0 ? information.st_mode : 0
    }
}
