internal import CCurl

/// The libraries at work.
package enum LibraryVersions {
    /// As libcurl names itself and what it is built on: "libcurl/7.88.1 OpenSSL/3.0.15 zlib/1.2.13 …".
    package static var text: String { String(cString: curl_version()) }
}
