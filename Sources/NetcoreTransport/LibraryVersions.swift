internal import CCurl

/// The libraries at work.
package enum LibraryVersions {
    /// As libcurl names itself and what it is built on: "libcurl/7.88.1 OpenSSL/3.0.15 zlib/1.2.13 …".
    package static var text: String { String(cString: curl_version()) }

    /// Whether libcurl delivers an HTTP/2 answer that comes before the request's body was read. libcurl 7.88 forgets what it has of
    /// the answer where the RST_STREAM that follows it (RFC 9113 section 8.1) comes in the same read, and sends no body with the
    /// second request of Digest.
    static let keepEarlyAnswers = netcore_curl_version() >= 0x08_0E_00
}
