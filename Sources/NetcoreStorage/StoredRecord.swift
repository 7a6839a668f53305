package import NetcoreSupport

/// One stored answer. To the store, head and body are bytes.
package struct StoredRecord: Sendable {
    package var key: StoreKey
    /// Which of the key's answers this is; empty where the answer has no `Vary`.
    package var variant: String
    /// For clearing and listing.
    package var url: String
    package var tag: String
    package var scope: String
    /// When its request was sent: milliseconds of the same wall clock as in `storedAt`. An older answer never
    /// overwrites a newer one.
    package var order: Int64
    package var storedAt: Timestamp
    /// In milliseconds of the wall clock, for listing only.
    package var freshUntil: Int64
    package var head: ByteBuffer
    package var body: StoredBody
    /// A random number: which body a ``HeadUpdate`` belongs to.
    package var identity: UInt64

    package init(
        key: StoreKey, variant: String = "", url: String = "", tag: String = "", scope: String = "", order: Int64,
        storedAt: Timestamp, freshUntil: Int64, head: ByteBuffer, body: StoredBody, identity: UInt64? = nil
    ) {
        self.key = key
        self.variant = variant
        self.url = url
        self.tag = tag
        self.scope = scope
        self.order = order
        self.storedAt = storedAt
        self.freshUntil = freshUntil
        self.head = head
        self.body = body
        self.identity = identity ?? .random(in: .min ... .max)
    }
}

/// What one of a key's answers is chosen by.
package struct VariantHead: Sendable {
    package var variant: String
    package var order: Int64
    package var storedAt: Timestamp
    package var head: ByteBuffer
}

/// A new head for a stored answer whose body stays, as after a 304.
package struct HeadUpdate: Sendable {
    package var key: StoreKey
    /// The ``StoredRecord/identity`` of the answer that was validated. When another has taken its place meanwhile,
    /// nothing happens.
    package var identity: UInt64
    package var order: Int64
    package var storedAt: Timestamp
    package var freshUntil: Int64
    package var head: ByteBuffer

    package init(
        key: StoreKey, identity: UInt64, order: Int64, storedAt: Timestamp, freshUntil: Int64, head: ByteBuffer
    ) {
        self.key = key
        self.identity = identity
        self.order = order
        self.storedAt = storedAt
        self.freshUntil = freshUntil
        self.head = head
    }
}

/// What a look for an answer found.
package enum LoadResult: Sendable {
    case found(StoredRecord)
    /// There is none under that key.
    case notFound
    /// There are some, of which the caller took none.
    case notSelected
    /// There was one, and it was damaged; it has been removed.
    case damaged
}

/// Which entries to clear.
package enum ClearFilter: Sendable {
    case all
    case url(String)
    case urlPrefix(String)
    case tag(String)
    case scope(String)
}

/// One line of the list of what is stored.
package struct StoredEntry: Sendable {
    /// Its place in the list: the next page begins after the last one's.
    package var position: Int64
    package var key: String
    package var variant: String
    package var url: String
    package var tag: String
    package var scope: String
    /// In bytes, as counted against the limit.
    package var size: Int
    package var bodySize: Int
    package var storedAt: Timestamp
    package var freshUntil: Int64
    package var hits: Int
}
