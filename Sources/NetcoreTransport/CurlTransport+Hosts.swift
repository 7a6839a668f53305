/// The hosts that a client knows.
extension CurlTransport {
    package func host(for origin: String) -> Host {
        if let host = hosts[origin] { return host }
        if hosts.count >= Self.maximumHosts { retireIdleHosts() }
        let host = Host(
            origin: origin, proxy: options.unixSocket == nil ? options.proxy.proxy(for: origin) : "",
            pinnedKeys: options.pinnedKeys.keys(for: Self.name(of: origin)))
        hosts[origin] = host
        return host
    }

    /// The host of "scheme://host:port", an address without its zone.
    private static func name(of origin: String) -> String {
        let afterScheme = origin.drop { $0 != ":" }.dropFirst(3)
        let host = afterScheme[..<(afterScheme.lastIndex(of: ":") ?? afterScheme.endIndex)]
        guard let zone = host.firstIndex(of: "%") else { return String(host) }
        return "\(host[..<zone])]"
    }

    private static let maximumHosts = 4096

    private func retireIdleHosts() {
        for (origin, host) in hosts where host.active == 0 {
            host.isRetired = true
            leaveShards(host)
            hosts[origin] = nil
        }
    }
}
