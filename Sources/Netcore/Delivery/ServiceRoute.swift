internal import NetcoreHTTP
internal import NetcoreSupport

/// How a request came to its URL by the selected service of its client, so that it can go to another one. Kept only with a policy of
/// failover, for requests that name no service themselves.
final class ServiceRoute: Sendable {
    let place: Failover.Place
    let rule: FailoverRule
    private let reference: String
    private let query: [UInt8]
    private let usesCDN: Bool
    private let usesHTTPS: Bool
    /// Of the dispatch; not all its settings, which may hold functions of the application's.
    private let services: [ClientSettings.Service]

    init(
        _ place: Failover.Place, _ rule: FailoverRule, reference: String, query: [UInt8], usesCDN: Bool,
        usesHTTPS: Bool,
        _ services: [ClientSettings.Service]
    ) {
        self.place = place
        self.rule = rule
        self.reference = reference
        self.query = query
        self.usesCDN = usesCDN
        self.usesHTTPS = usesHTTPS
        self.services = services
    }

    /// The same to another service.
    func leading(to service: String) -> ServiceRoute {
        ServiceRoute(
            Failover.Place(service: service, environment: place.environment), rule, reference: reference, query: query,
            usesCDN: usesCDN, usesHTTPS: usesHTTPS, services)
    }

    func url() throws(NetcoreError) -> HTTPURL {
        let service = services.first { $0.name == place.service }
        guard let base = service?.base(in: place.environment, usesCDN: usesCDN) else {
            throw NetcoreError(.notFound, argument: "service", "was not known at the dispatch")
        }
        let url = try base.joining(reference, adding: query)
        return usesHTTPS ? try url.upgraded() : url
    }

    /// Whether what comes of its tries says something of the service: a content delivery network is another server.
    var counts: Bool { !usesCDN }
}

extension BuiltRequest {
    /// The same by another service.
    func moved(to route: ServiceRoute) throws(NetcoreError) -> BuiltRequest {
        var changed = form
        changed.url = try route.url()
        changed.route = route
        return BuiltRequest(changed)
    }
}

extension UnfilteredRequest {
    func moved(to route: ServiceRoute) throws(NetcoreError) -> UnfilteredRequest {
        var values = settings.values
        values.service = route.place.service
        return UnfilteredRequest(given: given, built: try built.moved(to: route), settings: SettingsSnapshot(values))
    }
}

extension Exchange {
    /// How it came to its server, as long as it is at the first hop.
    var route: ServiceRoute? { redirects == 0 ? (unfiltered?.built ?? request).form.route : nil }
}

/// An attempt that is to go to another service.
struct Move {
    let service: String
    /// When it is due, in the time of the loop.
    let due: MonotonicTime
}
