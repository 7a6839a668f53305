/// The cookies of a client (RFC 6265 section 5.3): a value, without a clock, a lock or a file.
package struct CookieJar: Sendable {
    private struct Entry {
        var cookie: Cookie
        /// When it was made and last used, by a count of the jar's: a clock is too coarse for their order.
        var created: UInt64
        var used: UInt64
    }

    /// What a jar holds for one site and in all. Beyond it expired cookies go first, then the one not used for longest.
    package static let siteLimit = 180
    package static let limit = 3000
    /// The bytes of a Cookie field, as in libcurl: servers refuse longer lines, so that one host could lock its neighbours
    /// out. What comes later in the order is left out.
    package static let fieldLimit = 8190
    /// How many Set-Cookie fields of one answer are read, the last ones: more than may be kept for its site.
    package static let answerLimit = 500

    /// By site, each in the order in which they were made. No list is empty.
    private var sites: [String: [Entry]] = [:]
    package private(set) var count = 0
    private var clock: UInt64 = 0

    package init() {}

    // MARK: Sending

    /// The value of the Cookie field for a request: longer paths first, then what was made earlier (RFC 6265 section 5.4).
    package mutating func header(for scope: CookieScope, now: Int64) -> [UInt8]? {
        guard let site = sites.index(forKey: scope.site) else { return nil }
        clock += 1
        var found: [Int] = []
        for index in sites.values[site].indices {
            let cookie = sites.values[site][index].cookie
            guard !cookie.isExpired(now), CookieRule.sends(cookie, to: scope) else { continue }
            sites.values[site][index].used = clock
            found.append(index)
        }
        let cookies = found.map { (index: $0, cookie: sites.values[site][$0].cookie) }.sorted {
            ($1.cookie.path.utf8.count, $0.index) < ($0.cookie.path.utf8.count, $1.index)
        }
        var result: [UInt8] = []
        for (_, cookie) in cookies {
            let pair = cookie.nameBytes + [UInt8(ascii: "=")] + cookie.valueBytes
            guard result.count + 2 + pair.count <= Self.fieldLimit else { break }
            if !result.isEmpty { result += [UInt8(ascii: ";"), 0x20] }
            result += pair
        }
        return result.isEmpty ? nil : result
    }

    // MARK: Storing

    /// Takes the cookies of an answer. Returns whether anything changed.
    package mutating func receive(_ fields: FieldBlock, from scope: CookieScope, now: Int64) -> Bool {
        var isChanged = false
        var surplus = -Self.answerLimit
        fields.forEachValue(of: "Set-Cookie") { _ in surplus += 1 }
        fields.forEachValue(of: "Set-Cookie") { value in
            surplus -= 1
            guard surplus < 0, let cookie = SetCookie(value)?.cookie(from: scope, now: now) else { return }
            if store(cookie, isTrusted: scope.isSecure, now: now) { isChanged = true }
        }
        return isChanged
    }

    /// Takes a valid cookie in place of its predecessor, whose age it inherits; one that has expired only removes.
    /// Returns whether anything changed.
    ///
    /// - Parameter isTrusted: whether it may hide a secure cookie: only https may (RFC 6265bis section 5.7).
    package mutating func store(_ cookie: Cookie, isTrusted: Bool = true, now: Int64) -> Bool {
        let site = Self.site(of: cookie)
        remove(from: site) { $0.isExpired(now) }
        let list = sites[site] ?? []
        guard isTrusted || cookie.isSecure || !list.contains(where: { $0.cookie.isHidden(by: cookie) }) else {
            return false
        }
        let place = list.firstIndex { cookie.replaces($0.cookie) }
        if cookie.isExpired(now) {
            if let place { remove(at: place, from: site) }
            return place != nil
        }
        clock += 1
        guard let place else {
            sites[site, default: []].append(Entry(cookie: cookie, created: clock, used: clock))
            count += 1
            makeRoom(site, now)
            return true
        }
        let isChanged = list[place].cookie != cookie
        sites[site]?[place] = Entry(cookie: cookie, created: list[place].created, used: clock)
        return isChanged
    }

    /// What a cookie takes the place of has the same.
    private struct Identity: Hashable {
        let name: [UInt8]
        let domain: String
        let path: String
        let isHostOnly: Bool

        init(_ cookie: Cookie) {
            name = cookie.nameBytes
            domain = cookie.domain
            path = cookie.path
            isHostOnly = cookie.isHostOnly
        }
    }

    /// Takes valid cookies one after the other, as of a file; room is made once, after the last. Returns whether
    /// anything changed.
    package mutating func store(contentsOf cookies: [Cookie], now: Int64) -> Bool {
        var isChanged = false
        var entries: [Identity: Entry] = [:]
        entries.reserveCapacity(count + cookies.count)
        for entry in sites.values.joined() { entries[Identity(entry.cookie)] = entry }
        for cookie in cookies {
            clock += 1
            let key = Identity(cookie)
            if cookie.isExpired(now) {
                if entries.removeValue(forKey: key) != nil { isChanged = true }
                continue
            }
            let old = entries.updateValue(Entry(cookie: cookie, created: clock, used: clock), forKey: key)
            if let old { entries[key]?.created = old.created }
            if old?.cookie != cookie { isChanged = true }
        }
        keep(entries.values.filter { !$0.cookie.isExpired(now) })
        return isChanged
    }

    /// Has these entries and no others, as many as there may be, those that were used last.
    private mutating func keep(_ entries: [Entry]) {
        sites = [:]
        count = 0
        for entry in entries.sorted(by: { $0.used > $1.used }) {
            guard count < Self.limit else { break }
            let site = Self.site(of: entry.cookie)
            guard sites[site]?.count ?? 0 < Self.siteLimit else { continue }
            sites[site, default: []].append(entry)
            count += 1
        }
        for site in Array(sites.keys) { sites[site]?.sort { $0.created < $1.created } }
    }

    private static func site(of cookie: Cookie) -> String {
        CookieScope.registrableDomain(of: cookie.domain) ?? cookie.domain
    }

    private mutating func makeRoom(_ site: String, _ now: Int64) {
        if let list = sites[site], list.count > Self.siteLimit, let victim = Self.victim(list, now) {
            remove(at: victim.index, from: site)
        }
        guard count > Self.limit else { return }
        let victims = sites.compactMap { site, list in Self.victim(list, now).map { (site: site, victim: $0) } }
        if let (site, victim) = victims.min(by: { $0.victim.rank < $1.victim.rank }) {
            remove(at: victim.index, from: site)
        }
    }

    /// The first to go, and when that was last used; 0 when it has expired.
    private static func victim(_ list: [Entry], _ now: Int64) -> (index: Int, rank: UInt64)? {
        list.enumerated().lazy.map { (index: $0, rank: $1.cookie.isExpired(now) ? 0 : $1.used) }.min {
            $0.rank < $1.rank
        }
    }

    private mutating func remove(at index: Int, from site: String) {
        sites[site]?.remove(at: index)
        if sites[site]?.isEmpty ?? false { sites[site] = nil }
        count -= 1
    }

    // MARK: Managing

    /// All cookies that have not expired, in the order in which they were made.
    package func cookies(now: Int64) -> [Cookie] {
        sites.values.joined().filter { !$0.cookie.isExpired(now) }.sorted { $0.created < $1.created }.map(\.cookie)
    }

    /// Removes the cookies that a rule names. Returns how many.
    package mutating func removeAll(where isMeant: (Cookie) -> Bool) -> Int {
        let before = count
        for site in Array(sites.keys) { remove(from: site, where: isMeant) }
        return before - count
    }

    private mutating func remove(from site: String, where isMeant: (Cookie) -> Bool) {
        guard let list = sites[site], list.contains(where: { isMeant($0.cookie) }) else { return }
        let rest = list.filter { !isMeant($0.cookie) }
        count -= list.count - rest.count
        sites[site] = rest.isEmpty ? nil : rest
    }
}
