internal import NetcoreTransport

/// This version of netcore.
public enum NetcoreVersion {
    public static let string = "0.1.0"

    /// The libraries at work: "libcurl/7.88.1 OpenSSL/3.0.15 zlib/1.2.13 …".
    public static var libraries: String { LibraryVersions.text }
}
