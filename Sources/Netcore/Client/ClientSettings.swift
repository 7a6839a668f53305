internal import NetcoreHTTP
internal import NetcoreSupport
internal import Synchronization

/// What a client adds to its requests, and the servers it knows by name. For any thread; each change counts.
final class ClientSettings: @unchecked Sendable {  // `values` is under `lock`
    struct Values: Sendable {
        /// In the order of their coming.
        var services: [Service] = []
        var environments: [String] = []
        var service: String?
        var environment: String?
        var fields: [Request.Field] = []
        var parameters: [Parameter] = []
        /// Default parameters go to the query of every request, also where its own make up the body.
        var sendsParametersInQuery = false
        /// For requests that do not set them themselves.
        var requestDefaults: RequestOptions?

        /// Values that are asked for at the time of sending.
        var currentFields: [(name: String, value: Client.CurrentValue)] = []
        var currentParameters: [(name: String, value: Client.CurrentValue)] = []
        var filters: [Client.Filter] = []
        var responseFilters: ResponseFilters?
        /// By origin.
        var tokenSources: [String: TokenSource] = [:]
        var challenge: Client.ChallengeFunction?
        var network: Client.NetworkState?
        var transport: Client.TransportFunction?
        var hopValue: HopValueFunction?
        var delivery = DeliveryPolicies()

        var rates: [RateScope: Rate] = [:]

        /// Whether requests with a URL of their own get no fields and no parameters.
        var hasNoParts: Bool { fields.isEmpty && parameters.isEmpty }

        var hasCurrentValues: Bool { !currentFields.isEmpty || !currentParameters.isEmpty }
    }

    /// A named server.
    struct Service: Sendable {
        let name: String
        /// By environment.
        var bases: [String: HTTPURL] = [:]
        var cdns: [String: HTTPURL] = [:]
        /// Among those that may take the place of one that is left; 0 for none.
        var weight = 0

        func base(in environment: String, usesCDN: Bool) -> HTTPURL? {
            usesCDN ? cdns[environment] ?? bases[environment] : bases[environment]
        }
    }

    private let lock = Lock()
    private var values = SettingsSnapshot(Values())
    private var listener: (@Sendable (Client.Selection) -> Void)?
    private let changes = Atomic<UInt64>(0)
    private let hasFunctions = Atomic<Bool>(false)
    private let hasCredentials = Atomic<Bool>(false)
    private let hasNetwork = Atomic<Bool>(false)
    private let hasTransport = Atomic<Bool>(false)
    private let hasAnyRate = Atomic<Bool>(false)
    private let hasHopValue = Atomic<Bool>(false)

    /// The number of changes so far: what was built from older settings is built anew.
    var generation: UInt64 { changes.load(ordering: .acquiring) }

    /// Whether functions of the application's change requests or may refuse them.
    var asksApplication: Bool { hasFunctions.load(ordering: .acquiring) }

    /// Whether the client has tokens, or somebody who answers challenges.
    var hasIdentities: Bool { hasCredentials.load(ordering: .acquiring) }

    /// Nil also where nothing is known of it.
    var network: Client.NetworkState? { hasNetwork.load(ordering: .acquiring) ? current.network : nil }

    /// What answers in place of the network.
    var transport: Client.TransportFunction? { hasTransport.load(ordering: .acquiring) ? current.transport : nil }

    /// What gives a field of each hop its value.
    var hopValue: HopValueFunction? { hasHopValue.load(ordering: .acquiring) ? current.hopValue : nil }

    /// Whether requests are counted to rates.
    var hasRates: Bool { hasAnyRate.load(ordering: .acquiring) }

    var current: Values { lock.withLock { values.values } }

    /// The settings as they are now, to be kept.
    var snapshot: SettingsSnapshot { lock.withLock { values } }

    func setListener(_ new: (@Sendable (Client.Selection) -> Void)?) { lock.withLock { listener = new } }

    /// Changes the settings, and tells the listener when another service or environment is selected, with no lock held.
    ///
    /// - Parameter worker: tells it on its thread; nil for this one.
    func change(
        tellingOn worker: ApplicationWorker? = nil, _ body: (inout Values) throws(NetcoreError) -> Void
    ) throws(NetcoreError) {
        typealias Told = (
            selection: Client.Selection?, listener: (@Sendable (Client.Selection) -> Void)?, old: SettingsSnapshot
        )
        // What the old settings held may go with them, with no lock held.
        let told: Told = try lock.withLock { () throws(NetcoreError) -> Told in
            let old = values
            var new = old.values
            try body(&new)
            let isSwitch =
                old.values.service != nil
                && (new.service != old.values.service || new.environment != old.values.environment)
            values = SettingsSnapshot(new)
            hasFunctions.store(new.hasCurrentValues || !new.filters.isEmpty, ordering: .releasing)
            hasCredentials.store(!new.tokenSources.isEmpty || new.challenge != nil, ordering: .releasing)
            hasNetwork.store(new.network != nil, ordering: .releasing)
            hasTransport.store(new.transport != nil, ordering: .releasing)
            hasAnyRate.store(!new.rates.isEmpty, ordering: .releasing)
            hasHopValue.store(new.hopValue != nil, ordering: .releasing)
            changes.wrappingAdd(1, ordering: .releasing)
            return (isSwitch ? new.selection : nil, listener, old)
        }
        guard let selection = told.selection, let listener = told.listener else { return }
        guard let worker else { return listener(selection) }
        _ = worker.add { listener(selection) }
    }

    /// Releases the application's functions, which may hold the client.
    func close() {
        let old = lock.withLock {
            defer {
                values = SettingsSnapshot(Values())
                listener = nil
            }
            return (values, listener)
        }
        withExtendedLifetime(old) {}
    }
}

extension ClientSettings.Values {
    var selection: Client.Selection? {
        guard let service, let environment else { return nil }
        return Client.Selection(service: service, environment: environment)
    }

    /// Adds or replaces a service's base URLs for an environment. The first service and environment are selected.
    mutating func add(_ name: String, _ environment: String, _ base: HTTPURL, _ cdn: HTTPURL?) {
        if !environments.contains(environment) { environments.append(environment) }
        let index = services.firstIndex { $0.name == name } ?? services.endIndex
        if index == services.endIndex { services.append(ClientSettings.Service(name: name)) }
        services[index].bases[environment] = base
        services[index].cdns[environment] = cdn
        service = service ?? name
        self.environment = self.environment ?? environment
    }

    mutating func setWeight(_ weight: Int, of name: String) throws(NetcoreError) {
        guard let index = services.firstIndex(where: { $0.name == name }) else {
            throw Self.unknown("service", name, services.map(\.name))
        }
        services[index].weight = weight
    }

    mutating func removeHeader(_ name: String) {
        fields.removeAll { Syntax.equalsIgnoringCase($0.name, name) }
        currentFields.removeAll { Syntax.equalsIgnoringCase($0.name, name) }
    }

    mutating func removeParameter(_ name: String) {
        parameters.removeAll { $0.isNamed(name) }
        currentParameters.removeAll { $0.name.utf8.elementsEqual(name.utf8) }
    }

    mutating func select(service name: String) throws(NetcoreError) {
        guard services.contains(where: { $0.name == name }) else {
            throw Self.unknown("service", name, services.map(\.name))
        }
        service = name
    }

    mutating func select(environment name: String) throws(NetcoreError) {
        guard environments.contains(name) else {
            throw Self.unknown("environment", name, environments)
        }
        environment = name
    }

    private static func unknown(_ kind: StaticString, _ name: String, _ known: [String]) -> NetcoreError {
        let suggestion = Suggestion.ending(for: name, among: known)
        return NetcoreError(.notFound, argument: "\(kind)", "not known to the client\(suggestion)")
    }

    mutating func selectNextService() throws(NetcoreError) {
        service = try Self.next(after: service, in: services.map(\.name))
    }

    mutating func selectNextEnvironment() throws(NetcoreError) {
        environment = try Self.next(after: environment, in: environments)
    }

    /// The one after it, and after the last the first.
    private static func next(after name: String?, in names: [String]) throws(NetcoreError) -> String {
        guard let name, let index = names.firstIndex(of: name) else {
            throw NetcoreError(.invalidState, argument: "client", "has no service")
        }
        return names[(index + 1) % names.count]
    }

    /// The base URL for a request.
    func base(of name: String?, in given: String? = nil, usesCDN: Bool) throws(NetcoreError) -> HTTPURL {
        guard let name = name ?? service, let environment = given ?? environment else {
            throw NetcoreError(
                .invalidURL, argument: "url", "must begin with http:// or https://, since the client has no service")
        }
        guard let service = services.first(where: { $0.name == name }) else {
            throw Self.unknown("service", name, services.map(\.name))
        }
        guard let found = service.base(in: environment, usesCDN: usesCDN) else {
            throw NetcoreError(.notFound, argument: "service", "has no base URL for the selected environment")
        }
        return found
    }
}

/// The settings of a client as they were at one time.
package final class SettingsSnapshot: Sendable {
    let values: ClientSettings.Values

    init(_ values: ClientSettings.Values) { self.values = values }
}
