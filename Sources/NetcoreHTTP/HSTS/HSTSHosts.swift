/// The hosts that are to be spoken to only by https (RFC 6797): a value, without a clock, a lock or a file.
package struct HSTSHosts: Sendable {
    struct Policy: Sendable {
        var expires: Int64
        var includesSubdomains: Bool
        /// When it would end by what was last called a change.
        var told: Int64
    }

    /// How many hosts are remembered for one site, which is all that lies below one public suffix, and in all: else one site
    /// could drive out the others by inventing hosts. Beyond it the one whose time ends first goes.
    package static let siteLimit = 100
    package static let limit = 10_000

    private(set) var policies: [String: Policy] = [:]

    package init() {}

    package var count: Int { policies.count }

    /// Whether a host, or one above it that spoke for those below, asked for https (RFC 6797 section 8.2).
    ///
    /// - Parameter host: in canonical form.
    package func cover(_ host: String, now: Int64) -> Bool {
        var name = host[...]
        var isHostItself = true
        while true {
            if let policy = policies[String(name)], policy.expires > now, isHostItself || policy.includesSubdomains {
                return true
            }
            guard let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")) else { return false }
            name = name[name.utf8.index(after: dot)...]
            isHostItself = false
        }
    }

    /// Takes what a host says of itself, by https. Returns whether that is worth being written down: an end that moves on with
    /// each answer is, once it has moved by a hundredth of the time.
    package mutating func receive(_ field: StrictTransportSecurity, from host: String, now: Int64) -> Bool {
        guard Self.isName(host) else { return false }
        if field.maxAge == 0 { return policies.removeValue(forKey: host) != nil }
        let expires = now + field.maxAge
        if let old = policies[host], old.includesSubdomains == field.includesSubdomains {
            // A file may name any time, and "unlimited".
            let (moved, isFar) = expires.subtractingReportingOverflow(old.told)
            if !isFar, moved.magnitude <= field.maxAge / 100 {
                policies[host]?.expires = expires
                return false
            }
        }
        add(host, expires: expires, includesSubdomains: field.includesSubdomains)
        return true
    }

    /// Whether a host can have a policy: no address can (RFC 6797 section 8.1.1).
    static func isName(_ host: String) -> Bool { HostName.isCanonical(host) && !HostName.isAddress(host) }

    /// Sets a policy that a file has. ``forgetSurplus()`` is to follow.
    @discardableResult
    mutating func set(_ host: String, expires: Int64, includesSubdomains: Bool) -> Bool {
        let policy = Policy(expires: expires, includesSubdomains: includesSubdomains, told: expires)
        return policies.updateValue(policy, forKey: host) == nil
    }

    /// Keeps as many hosts as may be remembered, those that end last.
    mutating func forgetSurplus() {
        guard count > Self.siteLimit else { return }
        var kept: [String: Policy] = [:]
        var sites: [String: Int] = [:]
        for (host, policy) in policies.sorted(by: { $0.value.expires > $1.value.expires }) {
            guard kept.count < Self.limit else { break }
            let site = Self.site(of: host)
            guard sites[site, default: 0] < Self.siteLimit else { continue }
            sites[site, default: 0] += 1
            kept[host] = policy
        }
        policies = kept
    }

    private static func site(of host: String) -> String { PublicSuffixes.registrableDomain(of: host) ?? host }

    mutating func add(_ host: String, expires: Int64, includesSubdomains: Bool) {
        let isNew = set(host, expires: expires, includesSubdomains: includesSubdomains)
        guard isNew, count > Self.siteLimit else { return }
        let site = Self.site(of: host)
        makeRoom(Self.siteLimit) { CookieRule.domain(site, covers: $0) }
        makeRoom(Self.limit) { _ in true }
    }

    private mutating func makeRoom(_ limit: Int, among isMeant: (String) -> Bool) {
        let some = policies.filter { isMeant($0.key) }
        guard some.count > limit, let first = some.min(by: { $0.value.expires < $1.value.expires }) else { return }
        policies[first.key] = nil
    }
}
