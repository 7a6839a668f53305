internal import CPSL

/// The public suffix list: the system's, or the one inside libpsl when that is newer.
package enum PublicSuffixes {
    private nonisolated(unsafe) static let list = psl_latest(nil) ?? psl_builtin()  // only read

    /// Whether there is a list. Reads it from disk when asked for the first time.
    package static var isAvailable: Bool { list != nil }

    /// The domain right below a public suffix that a host belongs to: "example.co.uk" for "www.example.co.uk". Nil for a
    /// public suffix, and for every host when there is no list.
    ///
    /// - Parameter host: in lower case and ASCII, without a dot at its end, and no address.
    package static func registrableDomain(of host: String) -> String? {
        guard let list else { return nil }
        return host.withCString { psl_registrable_domain(list, $0).map { String(cString: $0) } }
    }
}
