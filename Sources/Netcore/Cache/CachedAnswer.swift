internal import NetcoreHTTP
internal import NetcoreStorage
internal import NetcoreSupport
internal import Synchronization

typealias Variant = StoredVariant

/// A stored answer with all that serving it needs. Immutable, except for the value that the caller decoded from it.
package final class CachedAnswer: @unchecked Sendable {  // `value` is under the lock
    /// What the application says of a stored answer, in addition to HTTP.
    struct Application: Equatable {
        var scope = ""
        var version: UInt32 = 0
        var applicationVersion = ""
        /// Not to be used by HTTP's rules: they did not allow to store it.
        var isOnlyByTimeToLive = false
    }

    let variant: Variant
    let served: ServedHead
    /// In memory unless it is large and on disk. Never in a file if it has ``parts``.
    let body: StoredBody
    /// The parts of the body that are there; nil when it is whole.
    let parts: PartialContent?
    let application: Application
    let url: String
    let tag: String
    let key: StoreKey
    /// Of the cache that it is in.
    private(set) weak var cache: Cache?
    /// When its request was sent, in milliseconds of the wall clock: an older answer never overwrites a newer one.
    let order: Int64
    /// Until when it is fresh, by its fields or by the time to live that keeps it: milliseconds of the wall clock.
    let freshUntil: Int64
    /// Which body this is, for the disk tier.
    let identity: UInt64
    private var value: DecodedValue?
    /// One for all answers: few have a value, and it is held for a moment.
    private static let lock = Lock()

    init(
        _ variant: Variant, body: StoredBody, parts: PartialContent? = nil, application: Application, url: String,
        tag: String, key: StoreKey, cache: Cache, order: Int64, freshUntil: Int64,
        identity: UInt64 = BodyIdentity.next()
    ) {
        self.variant = variant
        served = ServedHead(variant.head.fields)
        self.body = body
        self.parts = parts
        self.application = application
        self.url = url
        self.tag = tag
        self.key = key
        self.cache = cache
        self.order = order
        self.freshUntil = freshUntil
        self.identity = identity
    }

    /// Whether it is whole, and answers whatever the request's fields are, without another hop.
    var isSingle: Bool { variant.vary.names.isEmpty && parts == nil && !isRedirect }

    /// Whether it is followed, unless the request says otherwise.
    var isRedirect: Bool { RedirectPolicy.statuses.contains(variant.head.status) }

    /// Bytes of memory that it takes, about.
    var cost: Int {
        let own = (body.buffer?.count ?? 0) + variant.head.fields.contents.count * 2 + url.utf8.count + 600
        return own.adding(saturating: decoded?.cost ?? 0)
    }

    /// The value that the caller decoded from the body.
    package var decoded: DecodedValue? { Self.lock.withLock { value } }

    /// Returns the value that was there before.
    func exchange(_ new: DecodedValue?) -> DecodedValue? {
        Self.lock.withLock {
            defer { value = new }
            return value
        }
    }

    /// Whether one that was asked for at another time is newer. By the wall clock, where the boot clock cannot tell, a time that
    /// lies in the future is not: the clock was set back since.
    func isOlder(than other: Timestamp, now: Timestamp) -> Bool {
        let own = variant.head.requestTime
        if own.boot == other.boot, own.boot != 0 { return own.uptime < other.uptime }
        return own.wall < other.wall && other.wall <= now.wall
    }

    /// Whether another one is newer and serves the same request, which this one serves too.
    func isOutdone(by other: CachedAnswer, _ query: CacheQuery, now: Timestamp) -> Bool {
        application.scope == other.application.scope && isOlder(than: other.variant.head.requestTime, now: now)
            && variant.vary.matches(variant.key, query.request.fields)
            && other.variant.vary.matches(other.variant.key, query.request.fields)
    }

    /// What tells it from the key's other answers.
    var name: VariantName { VariantName(application.scope, variant.key) }
}

/// What tells the answers of one key apart: scope and the request fields that Vary names.
struct VariantName: Hashable {
    let text: String

    init(_ scope: String, _ variantKey: String) {
        text = scope.isEmpty && variantKey.isEmpty ? "" : "\(scope.utf8.count):\(scope)\(variantKey)"
    }
}

/// An object that the caller decoded from a body once; released with the answer.
package final class DecodedValue: Sendable {
    package let object: any Sendable
    /// Bytes of memory, as the caller estimates.
    package let cost: Int

    package init(_ object: any Sendable, cost: Int) {
        self.object = object
        self.cost = max(cost, 0)
    }
}

/// All answers of one key that the memory tier holds. Immutable.
final class CachedSet: Sendable {
    let answers: [CachedAnswer]
    /// The only one, when it answers whatever the request's fields are.
    let single: CachedAnswer?

    init(_ answers: [CachedAnswer]) {
        self.answers = answers
        single = answers.count == 1 && answers[0].isSingle ? answers[0] : nil
    }

    var cost: Int { answers.reduce(0) { $0.adding(saturating: $1.cost) } }

    /// With an answer in place of the one of its name, unless that is newer. Nil when it is.
    func replacing(_ answer: CachedAnswer, now: Timestamp) -> CachedSet? {
        let name = answer.name
        guard
            !answers.contains(where: { $0.name == name && answer.isOlder(than: $0.variant.head.requestTime, now: now) })
        else { return nil }
        return CachedSet(answers.filter { $0.name != name } + [answer])
    }
}

/// Numbers that tell bodies apart, in all processes that share a folder: a random start, and an odd step.
enum BodyIdentity {
    private static let start = UInt64.random(in: .min ... .max)
    private static let count = Atomic<UInt64>(0)

    static func next() -> UInt64 {
        start &+ count.wrappingAdd(1, ordering: .relaxed).newValue &* 0x9E37_79B9_7F4A_7C15
    }
}
