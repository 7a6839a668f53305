/// The alternative services of origins (RFC 7838): a value, without a clock, a lock or a file.
package struct Alternatives: Sendable {
    /// How many origins are remembered. Beyond it the one whose time ends first goes.
    package static let limit = 1000
    /// How long, in seconds, a service that failed is not used.
    package static let failureTime: Int64 = 300

    private(set) var services: [Origin: [AlternativeService]] = [:]
    /// Until when a service is not used.
    private var failures: [Failure: Int64] = [:]

    private struct Failure: Hashable {
        let origin: Origin
        let service: Origin
    }

    package init() {}

    package var count: Int { services.count }

    /// The first service to be used; nil for the origin itself.
    package func service(for origin: Origin, allowsHTTP2: Bool, now: Int64) -> AlternativeService? {
        let first = services[origin]?.first { service in
            service.expires > now && (allowsHTTP2 || !service.speaksHTTP2)
                && failures[Failure(origin: origin, service: service.place)] ?? 0 <= now
        }
        return first?.place == origin ? nil : first
    }

    /// Takes what an origin says in place of what it said before. Returns whether that is anything new.
    package mutating func set(_ new: [AlternativeService], of origin: Origin) -> Bool {
        guard new != services[origin] ?? [] else { return false }
        services[origin] = new.isEmpty ? nil : new
        if count > Self.limit, let first = services.min(by: { $0.value.lastEnd < $1.value.lastEnd }) {
            services[first.key] = nil
        }
        return true
    }

    /// Adds what a file says of an origin, which may be more than one line; the first few count. ``forgetSurplus()``
    /// is to follow.
    mutating func add(_ service: AlternativeService, of origin: Origin) {
        let known = services[origin] ?? []
        guard known.count < AltSvcField.limit, !known.contains(service) else { return }
        services[origin, default: []].append(service)
    }

    /// Keeps as many origins as may be remembered, those that end last.
    mutating func forgetSurplus() {
        guard count > Self.limit else { return }
        let ends = services.map { (origin: $0.key, end: $0.value.lastEnd) }.sorted { $0.end > $1.end }
        for (origin, _) in ends.dropFirst(Self.limit) { services[origin] = nil }
    }

    /// Does not use a service that failed for some time, even if the origin names it again.
    package mutating func leaveAlone(_ service: AlternativeService, of origin: Origin, now: Int64) {
        failures = failures.filter { $0.value > now }
        if failures.count >= Self.limit { failures = [:] }
        failures[Failure(origin: origin, service: service.place)] = now + Self.failureTime
    }

    /// Forgets a service. Returns whether it was there.
    package mutating func remove(_ service: AlternativeService, of origin: Origin) -> Bool {
        set((services[origin] ?? []).filter { $0 != service }, of: origin)
    }

    /// Forgets what need not hold in another network, and what failed in the last one. Returns whether the former was anything.
    package mutating func changeNetwork() -> Bool {
        failures = [:]
        let before = services
        services = services.mapValues { $0.filter(\.persists) }.filter { !$0.value.isEmpty }
        return services != before
    }
}

extension AlternativeService {
    fileprivate var place: Origin { Origin(host: host, port: port) }
}

extension [AlternativeService] {
    fileprivate var lastEnd: Int64 { lazy.map(\.expires).max() ?? 0 }
}
