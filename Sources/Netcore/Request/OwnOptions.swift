internal import NetcoreHTTP

/// Which options a request sets itself. All others may come from its client's defaults.
package struct OwnOptions: OptionSet, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    private init(_ bit: Bit) { rawValue = 1 << bit.rawValue }

    /// At most 64.
    private enum Bit: UInt64 {
        case serializer
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
    }

    package static let serializer = OwnOptions(.serializer)
    package static let usesCDN = OwnOptions(.usesCDN)
    package static let usesHTTPS = OwnOptions(.usesHTTPS)
    package static let packsBodyFrom = OwnOptions(.packsBodyFrom)
    package static let connectTimeout = OwnOptions(.connectTimeout)
    package static let firstByteTimeout = OwnOptions(.firstByteTimeout)
    package static let idleTimeout = OwnOptions(.idleTimeout)
    package static let totalTimeout = OwnOptions(.totalTimeout)
    package static let minimumRate = OwnOptions(.minimumRate)
    package static let followsRedirects = OwnOptions(.followsRedirects)
    package static let allowsInsecureRedirects = OwnOptions(.allowsInsecureRedirects)
    package static let decodesContent = OwnOptions(.decodesContent)
    package static let usesCookies = OwnOptions(.usesCookies)
    package static let priority = OwnOptions(.priority)
    package static let receiveRate = OwnOptions(.receiveRate)
    package static let sendRate = OwnOptions(.sendRate)
    package static let interface = OwnOptions(.interface)
    package static let allowsMetered = OwnOptions(.allowsMetered)
    package static let progressInterval = OwnOptions(.progressInterval)
    package static let receivesInterim = OwnOptions(.receivesInterim)
    package static let isSentOnce = OwnOptions(.isSentOnce)
    package static let allowsUncleanEnd = OwnOptions(.allowsUncleanEnd)
    package static let cacheMode = OwnOptions(.cacheMode)
    package static let cacheTimeToLive = OwnOptions(.cacheTimeToLive)
    package static let cacheKeepsErrors = OwnOptions(.cacheKeepsErrors)
    package static let cacheScope = OwnOptions(.cacheScope)
    package static let cacheVersion = OwnOptions(.cacheVersion)
    package static let authentication = OwnOptions(.authentication)
    package static let duplicates = OwnOptions(.duplicates)
    package static let expectContinue = OwnOptions(.expectContinue)
    package static let minimumInterval = OwnOptions(.minimumInterval)
    package static let rateKey = OwnOptions(.rateKey)
    package static let networkWait = OwnOptions(.networkWait)

    /// Those whose value changes; all of them where none does, since they were set to what they are.
    static func set(_ options: [(OwnOptions, isOther: Bool)]) -> OwnOptions {
        let changed = options.filter(\.isOther)
        return (changed.isEmpty ? options : changed).reduce(into: []) { $0.insert($1.0) }
    }
}

extension RequestOptions {
    private typealias Take = @Sendable (inout RequestOptions, RequestOptions) -> Void

    /// What a client may set for all its requests.
    private static let takes: [(OwnOptions, Take)] = [
        (.serializer, { $0.serializer = $1.serializer }),
        (.usesCDN, { $0.usesCDN = $1.usesCDN }),
        (.usesHTTPS, { $0.usesHTTPS = $1.usesHTTPS }),
        (.packsBodyFrom, { $0.packsBodyFrom = $1.packsBodyFrom }),
        (.connectTimeout, { $0.timeouts.connect = $1.timeouts.connect }),
        (.firstByteTimeout, { $0.timeouts.firstByte = $1.timeouts.firstByte }),
        (.idleTimeout, { $0.timeouts.idle = $1.timeouts.idle }),
        (.totalTimeout, { $0.timeouts.total = $1.timeouts.total }),
        (.minimumRate, { $0.timeouts.minimumRate = $1.timeouts.minimumRate }),
        (.followsRedirects, { $0.redirectPolicy.isFollowing = $1.redirectPolicy.isFollowing }),
        (.allowsInsecureRedirects, { $0.redirectPolicy.allowsInsecure = $1.redirectPolicy.allowsInsecure }),
        (.decodesContent, { $0.decodesContent = $1.decodesContent }),
        (.usesCookies, { $0.usesCookies = $1.usesCookies }),
        (.priority, { $0.priority = $1.priority }),
        (.receiveRate, { $0.rates.receive = $1.rates.receive }),
        (.sendRate, { $0.rates.send = $1.rates.send }),
        (.interface, { $0.network.interface = $1.network.interface }),
        (.allowsMetered, { $0.network.allowsMetered = $1.network.allowsMetered }),
        (.networkWait, { $0.networkWait = $1.networkWait }),
        (.progressInterval, { $0.progressInterval = $1.progressInterval }),
        (.receivesInterim, { $0.receivesInterim = $1.receivesInterim }),
        (.isSentOnce, { $0.isSentOnce = $1.isSentOnce }),
        (.expectContinue, { $0.expectTimeout = $1.expectTimeout }),
        (.allowsUncleanEnd, { $0.allowsUncleanEnd = $1.allowsUncleanEnd }),
        (.cacheMode, { $0.cache.mode = $1.cache.mode }),
        (.cacheTimeToLive, { $0.cache.timeToLive = $1.cache.timeToLive }),
        (.cacheKeepsErrors, { $0.cache.keepsErrors = $1.cache.keepsErrors }),
        (.cacheScope, { $0.cache.scope = $1.cache.scope }),
        (.cacheVersion, { $0.cache.version = $1.cache.version }),
        (.duplicates, { $0.duplicates = $1.duplicates }),
        (.minimumInterval, { $0.minimumInterval = $1.minimumInterval }),
        (.rateKey, { $0.rateKey = $1.rateKey }),
    ]

    /// Takes what is set of another's, for a client's defaults.
    mutating func takeDefaults(_ other: RequestOptions) {
        take(other, isBare: false)
        own = other.own
    }

    /// Takes what it does not set itself from a client's defaults.
    ///
    /// - Parameter isBare: credentials do not go with bare requests.
    mutating func take(_ defaults: RequestOptions, isBare: Bool) {
        let taken = defaults.own.subtracting(own)
        guard !taken.isEmpty else { return }
        for (option, take) in Self.takes where taken.contains(option) { take(&self, defaults) }
        if taken.contains(.authentication), !isBare { authentication = defaults.authentication }
    }
}

extension Request {
    /// Sets an option, which then wins over the client's default.
    package mutating func set(_ option: OwnOptions, _ change: (inout RequestOptions) -> Void) {
        change(&options)
        options.own.formUnion(option)
    }

    /// With the client's defaults in the place of options that it does not set.
    func taking(_ defaults: RequestOptions?) -> Request {
        guard let defaults, !defaults.own.isSubset(of: options.own) else { return self }
        var result = self
        result.options.take(defaults, isBare: isBare)
        return result
    }
}
