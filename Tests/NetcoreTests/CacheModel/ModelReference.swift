@testable import Netcore
import NetcoreHTTP
import NetcoreSupport

/// The reference: remembers all that the origin sent, and judges what comes out of the cache by that alone.
struct ModelReference {
    /// Something was to be forgotten, unless it was asked for later.
    private struct Removal {
        let number: Int
        let cause: Int
        let concerns: (ModelAnswer) -> Bool
    }

    /// What came of the request that a response ends.
    enum Contact {
        case none
        case answer(ModelAnswer)
        case failure(NetcoreError.Code)

        var hasFailed: Bool {
            switch self {
            case .none: false
            case .answer(let answer): [500, 502, 503, 504].contains(answer.status)
            case .failure(let code): code != .canceled
            }
        }
    }

    let isShared: Bool
    private(set) var answers: [Int: ModelAnswer] = [:]
    private var removals: [Removal] = []
    /// Counts events.
    private(set) var number = 0
    /// Answers that came out of the cache, to see that the cache is one.
    private(set) var served = 0
    private(set) var revalidated = 0

    init(isShared: Bool) { self.isShared = isShared }

    mutating func next() -> Int {
        number += 1
        return number
    }

    /// From now on nothing that was asked for before may be served. What its own cause brought may.
    mutating func forget(cause: Int = 0, _ concerns: @escaping (ModelAnswer) -> Bool) {
        removals.append(Removal(number: next(), cause: cause, concerns: concerns))
    }

    mutating func note(_ answer: ModelAnswer) { answers[answer.serial] = answer }

    /// What an answer does to others when it comes (section 4.4).
    mutating func invalidate(by answer: ModelAnswer) {
        let ask = answer.ask
        if answer.clearsSite {
            let origin = ask.url.prefix { $0 != "?" }.split(separator: "/").prefix(2).joined(separator: "//") + "/"
            forget(cause: answer.serial) { $0.ask.url.hasPrefix(origin) }
        }
        guard !["GET", "HEAD"].contains(ask.method), (200..<400).contains(answer.status) else { return }
        if ask.timeToLive == nil { forget(cause: answer.serial) { $0.ask.url == ask.url } }
        guard let location = answer.location, location.split(separator: "/")[1] == ask.url.split(separator: "/")[1],
            ask.timeToLive == nil || location != ask.url
        else { return }
        forget(cause: answer.serial) { $0.ask.url == location }
    }

    // MARK: Judging

    /// What is wrong with a response; nil for nothing.
    mutating func objection(
        _ response: Response, _ ask: ModelAsk, _ contact: Contact, isProvisional: Bool, now: Timestamp
    ) -> String? {
        guard response.cacheResult.isFromCache else { return objectionToOrigin(response, contact) }
        served += 1
        if response.cacheResult == .unsatisfiable { return objectionToTimeout(response, ask, contact) }
        guard let source = source(of: response, ask) else { return "no answer of the origin has that head" }
        var answer = source
        let rules = ModelRules(answer: answer, isShared: isShared)
        if response.cacheResult == .revalidated {
            revalidated += 1
            guard case .answer(let confirmation) = contact, confirmation.status == 304,
                confirmation.serial == answer.serial
            else { return "no 304 confirmed it" }
            answer = confirmation
        } else {
            let reuse = ModelReuse(
                rules: rules, ask: ask, now: now, isProvisional: isProvisional, hasFailed: contact.hasFailed)
            if let objection = reuse.objection(response.cacheResult) { return objection }
            guard rules.isStorable else { return "it must not be stored" }
            if let objection = objectionToPlace(answer, ask) { return objection }
        }
        if case .answer(let other) = contact, other.status < 300, response.cacheResult != .revalidated {
            return "an answer came, and another one was served"
        }
        return objectionToSelection(answer, ask)
            ?? ModelBytes(answer: answer, ask: ask, response: response).objection(rules.age(at: now))
    }

    private func objectionToOrigin(_ response: Response, _ contact: Contact) -> String? {
        switch contact {
        case .none: return "nothing was asked, and nothing served"
        case .failure(let code): return response.error?.code == code ? nil : "not the error that came"
        case .answer(let answer):
            guard response.error == nil else { return "an answer came, and became \(response.error!.code.name)" }
            guard response.status == answer.status else { return "another status than the one that came" }
            guard answer.status != 304 || answer.ask.ifNoneMatch != nil else {
                return "a 304 that no request asked for"
            }
            let isBare = answer.status == 304 || answer.ask.method == "HEAD"
            guard response.body == (isBare ? [] : answer.body) else { return "other bytes than those that came" }
            return nil
        }
    }

    private func objectionToTimeout(_ response: Response, _ ask: ModelAsk, _ contact: Contact) -> String? {
        guard response.status == 504 else { return "unsatisfiable without a 504" }
        switch contact {
        case .none: return ask.isOnlyIfCached || ask.mode == .cacheOnly ? nil : "a 504 without having asked"
        case .failure: return nil
        case .answer: return "a 504 in place of an answer"
        }
    }

    /// Which answer the head is of.
    private func source(of response: Response, _ ask: ModelAsk) -> ModelAnswer? {
        if let serial = response.headers["x-serial"].flatMap({ Int($0) }) { return answers[serial] }
        let location = response.headers["content-location"] ?? ""
        if let serial = Int(location.trimmingPrefix("/serial/")) { return answers[serial] }
        let own = answers.values.filter { $0.ownLocation == location && $0.isStored }
        return own.max { $0.serial < $1.serial }
    }

    /// Whether it is of another scope or version, or was to be forgotten, or a newer one is known.
    private func objectionToPlace(_ answer: ModelAnswer, _ ask: ModelAsk) -> String? {
        guard answer.ask.scope(isShared: isShared) == ask.scope(isShared: isShared) else { return "of another scope" }
        guard answer.ask.version == ask.version else { return "of another version" }
        let gone = removals.contains { removal in
            removal.number > answer.begin && removal.cause != answer.serial && removal.concerns(answer)
        }
        if gone { return "it was to be forgotten" }
        let newer = answers.values.first { newer in
            newer.isNewer(than: answer) && newer.isStored && newer.range == nil && newer.ask.method == ask.method
                && isSame(newer.ask, ask)
        }
        return newer.map { "number \($0.serial) is newer" }
    }

    /// Whether two ask for the very same.
    private func isSame(_ left: ModelAsk, _ right: ModelAsk) -> Bool {
        left.url == right.url && left.version == right.version && (left.timeToLive == nil) == (right.timeToLive == nil)
            && left.fields.mapValues { $0.lowercased() } == right.fields.mapValues { $0.lowercased() }
            && left.authorization == right.authorization
            && left.scope(isShared: isShared) == right.scope(isShared: isShared)
    }

    /// Whether it is of another URL, variant or owner.
    private func objectionToSelection(_ answer: ModelAnswer, _ ask: ModelAsk) -> String? {
        guard answer.ask.url == ask.url else { return "of another URL" }
        guard (answer.ask.timeToLive == nil) == (ask.timeToLive == nil) else { return "of the other key" }
        let owner = answer.representation.owner
        guard owner.isEmpty || owner == ask.owner else { return "of another owner" }
        if ask.timeToLive != nil {
            let methods = [answer.ask.method, ask.method].map { $0 == "HEAD" ? "GET" : $0 }
            guard methods[0] == methods[1] else { return "of another method" }
            return answer.ask.fields["X-Kind"] == ask.fields["X-Kind"] ? nil : "of another key"
        }
        guard answer.version.variant(answer.ask.fields) == answer.version.variant(ask.fields) else {
            return "of another variant"
        }
        return nil
    }
}
