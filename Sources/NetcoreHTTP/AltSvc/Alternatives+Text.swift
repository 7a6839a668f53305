extension Alternatives {
    private static let heading =
        "# Alternative services, in the format of curl: https://curl.se/docs/alt-svc.html\n"
        + "# Written by netcore. Changes made by hand may be lost.\n"

    /// In the format of curl's files, a line for each: protocol, host and port of the origin, then of the service, its end in
    /// quotes, whether it persists, and a 0. Origins are said to speak HTTP/1.1, for which curl asks whatever it speaks.
    package func encoded(now: Int64) -> [UInt8] {
        var text = Self.heading
        for (origin, list) in services.sorted(by: { $0.key.authority < $1.key.authority }) {
            for service in list where service.expires > now {
                let place = "\(service.speaksHTTP2 ? "h2" : "h1") \(Self.words(service.host, service.port))"
                let end = CurlDate.format(service.expires)
                text += "h1 \(Self.words(origin.host, origin.port)) \(place) \"\(end)\" \(service.persists ? 1 : 0) 0\n"
            }
        }
        return Array(text.utf8)
    }

    private static func words(_ host: String, _ port: UInt16) -> String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)] \(port)" : "\(host) \(port)"
    }

    /// Adds the services of a text, but those of protocols that netcore does not speak. Returns whether a line holds one, or none
    /// holds anything else but comments.
    package mutating func decode(_ text: [UInt8], now: Int64) -> Bool {
        let lines = CurlLine.lines(of: text)
        let isAnyGood = lines.reduce(false) { add($1, now: now) || $0 }
        forgetSurplus()
        return isAnyGood || lines.isEmpty
    }

    private static let names = ["h1": false, "h2": true, "h3": nil]

    /// Returns whether the line holds a service.
    private mutating func add(_ line: CurlLine, now: Int64) -> Bool {
        var line = line
        guard let from = line.word(), Self.names[from] != nil, let origin = Self.place(&line), let to = line.word(),
            let speaksHTTP2 = Self.names[to], let place = Self.place(&line), let expires = line.date(),
            let persists = line.word(),
            persists == "0" || persists == "1", let priority = line.word(), UInt32(priority) != nil, line.isAtEnd
        else { return false }
        guard let speaksHTTP2, expires > now else { return true }
        let service = AlternativeService(
            speaksHTTP2: speaksHTTP2, host: place.host, port: place.port, expires: expires, persists: persists == "1")
        add(service, of: origin)
        return true
    }

    private static func place(_ line: inout CurlLine) -> Origin? {
        guard let host = line.word(), let text = line.word(), let port = UInt16(text), port > 0 else { return nil }
        let name = HostName.canonical(host[...].utf8)
        return HostName.isCanonical(name) ? Origin(host: name, port: port) : nil
    }
}
