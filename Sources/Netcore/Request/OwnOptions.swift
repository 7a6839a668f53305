internal import NetcoreHTTP

/// An option that a request sets itself, or else takes from its client's defaults. At most 64.
package enum OwnOption: UInt64 {
    case serializer
    case parameterNesting
    case usesCDN
    case usesHTTPS
    case packsBodyFrom
    case connectTimeout
    case firstByteTimeout
    case idleTimeout
    case totalTimeout
    case minimumRate
    case followsRedirects
    case allowsInsecureRedirects
    case decodesContent
    case usesCookies
    case priority
    case receiveRate
    case sendRate
    case interface
    case allowsMetered
    case progressInterval
    case receivesInterim
    case isSentOnce
    case allowsUncleanEnd
    case cacheMode
    case cacheTimeToLive
    case cacheKeepsErrors
    case cacheScope
    case cacheVersion
    case authentication
    case duplicates
    case expectContinue
    case minimumInterval
    case rateKey
    case networkWait
    case acceptedStatuses
    case acceptedContentTypes
    case bodySHA256
    case jsonShape
    case validator
    case dropsNulls
    case errorTable
}

/// Which options a request sets itself. All others may come from its client's defaults.
package struct OwnOptions: Equatable, Sendable {
    private var bits: UInt64 = 0

    package init() {}

    private init(bits: UInt64) { self.bits = bits }

    package var isEmpty: Bool { bits == 0 }

    package func contains(_ option: OwnOption) -> Bool { bits & 1 << option.rawValue != 0 }

    func isSubset(of other: OwnOptions) -> Bool { bits & ~other.bits == 0 }

    func subtracting(_ other: OwnOptions) -> OwnOptions { OwnOptions(bits: bits & ~other.bits) }

    mutating func insert(_ option: OwnOption) { bits |= 1 << option.rawValue }

    mutating func formUnion(_ other: OwnOptions) { bits |= other.bits }

    /// Calls `body` with each option of the set, in their order.
    func forEach(_ body: (OwnOption) -> Void) {
        var rest = bits
        while let option = OwnOption(rawValue: UInt64(rest.trailingZeroBitCount)) {
            body(option)
            rest &= rest - 1
        }
    }

    /// Those whose value changes; all of them where none does, since they were set to what they are.
    static func set(_ options: [(OwnOption, isOther: Bool)]) -> OwnOptions {
        let changed = options.filter(\.isOther)
        return (changed.isEmpty ? options : changed).reduce(into: OwnOptions()) { $0.insert($1.0) }
    }
}

extension RequestOptions {
    /// Takes what is set of another's, for a client's defaults.
    mutating func takeDefaults(_ other: RequestOptions) {
        other.own.forEach { take($0, from: other) }
        own = other.own
    }

    /// Takes what it does not set itself from a client's defaults.
    ///
    /// - Parameter isBare: credentials do not go with bare requests.
    mutating func take(_ defaults: RequestOptions, isBare: Bool) {
        defaults.own.subtracting(own).forEach { option in
            if option != .authentication || !isBare { take(option, from: defaults) }
        }
    }

    /// What a client may set for all its requests.
    private mutating func take(_ option: OwnOption, from defaults: RequestOptions) {
        switch option {
        case .serializer: serializer = defaults.serializer
        case .parameterNesting: parameterNesting = defaults.parameterNesting
        case .usesCDN: usesCDN = defaults.usesCDN
        case .usesHTTPS: usesHTTPS = defaults.usesHTTPS
        case .packsBodyFrom: packsBodyFrom = defaults.packsBodyFrom
        case .connectTimeout: timeouts.connect = defaults.timeouts.connect
        case .firstByteTimeout: timeouts.firstByte = defaults.timeouts.firstByte
        case .idleTimeout: timeouts.idle = defaults.timeouts.idle
        case .totalTimeout: timeouts.total = defaults.timeouts.total
        case .minimumRate: timeouts.minimumRate = defaults.timeouts.minimumRate
        case .followsRedirects: redirectPolicy.isFollowing = defaults.redirectPolicy.isFollowing
        case .allowsInsecureRedirects: redirectPolicy.allowsInsecure = defaults.redirectPolicy.allowsInsecure
        case .decodesContent: decodesContent = defaults.decodesContent
        case .usesCookies: usesCookies = defaults.usesCookies
        case .priority: priority = defaults.priority
        case .receiveRate: rates.receive = defaults.rates.receive
        case .sendRate: rates.send = defaults.rates.send
        case .interface: network.interface = defaults.network.interface
        case .allowsMetered: network.allowsMetered = defaults.network.allowsMetered
        case .networkWait: networkWait = defaults.networkWait
        case .progressInterval: progressInterval = defaults.progressInterval
        case .receivesInterim: receivesInterim = defaults.receivesInterim
        case .isSentOnce: isSentOnce = defaults.isSentOnce
        case .expectContinue: expectTimeout = defaults.expectTimeout
        case .allowsUncleanEnd: allowsUncleanEnd = defaults.allowsUncleanEnd
        case .cacheMode: cache.mode = defaults.cache.mode
        case .cacheTimeToLive: cache.timeToLive = defaults.cache.timeToLive
        case .cacheKeepsErrors: cache.keepsErrors = defaults.cache.keepsErrors
        case .cacheScope: cache.scope = defaults.cache.scope
        case .cacheVersion: cache.version = defaults.cache.version
        case .duplicates: duplicates = defaults.duplicates
        case .minimumInterval: minimumInterval = defaults.minimumInterval
        case .rateKey: rateKey = defaults.rateKey
        case .authentication: authentication = defaults.authentication
        case .acceptedStatuses: rules.statuses = defaults.rules.statuses
        case .acceptedContentTypes: rules.contentTypes = defaults.rules.contentTypes
        case .bodySHA256: rules.digest = defaults.rules.digest
        case .jsonShape: rules.shape = defaults.rules.shape
        case .validator: rules.validator = defaults.rules.validator
        case .dropsNulls: rules.dropsNulls = defaults.rules.dropsNulls
        case .errorTable: rules.errors = defaults.rules.errors
        }
    }
}

extension Request {
    /// Sets an option, which then wins over the client's default.
    package mutating func set(_ option: OwnOption, _ change: (inout RequestOptions) -> Void) {
        change(&options)
        options.own.insert(option)
    }

    /// Sets several options.
    mutating func set(_ options: OwnOptions, _ change: (inout RequestOptions) -> Void) {
        change(&self.options)
        self.options.own.formUnion(options)
    }

    /// With the client's defaults in the place of options that it does not set.
    func taking(_ defaults: RequestOptions?) -> Request {
        guard let defaults, !defaults.own.isSubset(of: options.own) else { return self }
        var result = self
        result.options.take(defaults, isBare: isBare)
        return result
    }
}
