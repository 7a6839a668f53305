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

    private static func variable(_ name: String) -> String {
        guard let value = getenv(name) else {
            fatalError("\(name) is not set: run the tests through scripts/with-peers")
        }
        return String(cString: value)
    }
}
