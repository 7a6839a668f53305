import Glibc

/// The servers that scripts/with-peers started, by the environment variables that it sets.
public enum Peers {
    public static var origin: String { variable("NETCORE_TEST_ORIGIN") }
    public static var originTLS: String { variable("NETCORE_TEST_ORIGIN_TLS") }
    public static var nginx: String { variable("NETCORE_TEST_NGINX") }
    public static var nginxTLS: String { variable("NETCORE_TEST_NGINX_TLS") }
    public static var nginxHTTP2: String { variable("NETCORE_TEST_NGINX_H2") }
    public static var refused: String { variable("NETCORE_TEST_REFUSED") }
    public static var caFile: String { variable("NETCORE_TEST_CA") }

    /// What nginx logged of requests below /logged/.
    public static var accessLog: String { read(variable("NETCORE_TEST_ACCESS_LOG")) }

    /// The lines of a file of this repository.
    public static func lines(of path: String) -> [String] {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return read("/\(root)/\(path)").split(separator: "\n").map(String.init)
    }

    private static func read(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&piece, 1, piece.count, file)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += piece[..<count]
        }
    }

    /// How much of something a test tries, where the environment says so.
    public static func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }

    public static func variable(_ name: String) -> String {
        guard let value = getenv(name) else {
            fatalError("\(name) is not set: run the tests through scripts/with-peers")
        }
        return String(cString: value)
    }
}
