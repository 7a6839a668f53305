extension HSTSHosts {
    private static let heading =
        "# HSTS hosts, in the format of curl: https://curl.se/docs/hsts.html\n"
        + "# Written by netcore. Changes made by hand may be lost.\n"

    /// In the format of curl's files: a line for each host, with a dot in front where those below are meant too, and its end in
    /// quotes.
    package func encoded(now: Int64) -> [UInt8] {
        var text = Self.heading
        for (host, policy) in policies.sorted(by: { $0.key < $1.key }) where policy.expires > now {
            text += "\(policy.includesSubdomains ? "." : "")\(host) \"\(CurlDate.format(policy.expires))\"\n"
        }
        return Array(text.utf8)
    }

    /// Adds the hosts of a text. Returns whether a line holds one, or none holds anything else but comments.
    package mutating func decode(_ text: [UInt8], now: Int64) -> Bool {
        let lines = CurlLine.lines(of: text)
        let isAnyGood = lines.reduce(false) { add($1, now: now) || $0 }
        forgetSurplus()
        return isAnyGood || lines.isEmpty
    }

    /// Returns whether the line holds a host.
    private mutating func add(_ line: CurlLine, now: Int64) -> Bool {
        var line = line
        guard let host = line.word(), let expires = line.date(), line.isAtEnd else { return false }
        let isWide = host.utf8.first == UInt8(ascii: ".")
        let name = HostName.canonical(isWide ? host.utf8.dropFirst() : host.utf8[...])
        guard Self.isName(name) else { return false }
        // Of two lines for a host each counts where it asks for more, as with curl.
        let other = policies[name]
        if expires > now {
            set(
                name, expires: max(expires, other?.expires ?? 0),
                includesSubdomains: isWide || other?.includesSubdomains ?? false)
        }
        return true
    }
}
