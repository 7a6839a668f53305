public import NetcoreHTTP
internal import NetcoreStorage
package import NetcoreSupport

/// Values of the application's, beside the stored answers and by the same policy: in memory and on disk, within the same limits.
extension Cache {
    /// Keeps a value under a key, in place of what was there. It may go at any time, as stored answers do.
    ///
    /// Its URL, in ``entries(after:limit:)``, events and prefixes to clear, is "value:" and the key.
    ///
    /// - Parameters:
    ///   - timeToLive: from now on; nil for ``Options/valueTimeToLive``.
    ///   - tags: ``clear(_:)`` and requests that succeed remove it by these (``Request/invalidatedTags``).
    /// - Throws: `invalidArgument` for an empty key, and for a tag that a request cannot have; `outOfMemory`.
    public func put(
        _ value: [UInt8], for key: String, timeToLive: Duration? = nil, tags: [String] = []
    ) throws(NetcoreError) {
        guard let body = value.withUnsafeBytes({ ByteBuffer(copying: $0) }) else { throw NetcoreError(.outOfMemory) }
        try put(body, for: key, lifetime: timeToLive.map { .limited($0) } ?? .standard, tags: tags)
    }

    /// How long a value is kept.
    package enum ValueLifetime {
        /// ``Options/valueTimeToLive``.
        case standard
        case limited(Duration)
        case unlimited
    }

    package func put(
        _ body: ByteBuffer, for key: String, lifetime: ValueLifetime, tags: [String]
    ) throws(NetcoreError) {
        for tag in tags { try RequestOptions.check(tag: tag, "tags") }
        let now = now
        guard !key.isEmpty else { throw NetcoreError(.invalidArgument, argument: "key", "must not be empty") }
        let query = try query(key, now)
        let timeToLive: Duration? =
            switch lifetime {
            case .standard: options.valueTimeToLive
            case .limited(let span): span
            case .unlimited: nil
            }
        let span = min(max(timeToLive?.milliseconds ?? Self.longestLife, 0), Self.longestLife)
        let freshUntil = now.wall.adding(saturating: span)
        let head = StoredHead(status: 200, version: nil, fields: FieldBlock(), requestTime: now, responseTime: now)
        let variant = Variant(
            head, key: "", isSecure: false, isPartial: false, ignoresVary: true, settings: settings)
        let answer = CachedAnswer(
            variant, body: .memory(body),
            application: .init(applicationVersion: options.applicationVersion, isOnlyByTimeToLive: true),
            url: query.url,
            tag: TagList.text(tags), key: query.key, cache: self, order: now.wall, freshUntil: freshUntil)
        // What was being read from disk meanwhile does not take its place.
        lock.withLock { _ = recent.note(.key(query.key)) }
        insert(answer, query, since: mark, isNew: true)
        disk?.store(nil)?.store(DiskHead.record(answer, query), synchronously: options.writesSynchronously)
    }

    /// The value of a key; nil if there is none, or none any more. Reads from disk what is not in memory, and blocks meanwhile.
    public func value(for key: String) -> [UInt8]? {
        storedValue(for: key).map { value in withExtendedLifetime(value) { Array(value.bytes) } }
    }

    /// The same without a copy.
    package func storedValue(for key: String) -> ByteBuffer? {
        let now = now
        guard let query = try? query(key, now) else { return nil }
        var found = memory.get(query.key)?.answers.first
        if found == nil, disk != nil { found = stored(query, loadFromDisk(query)).first }
        guard let answer = found, let body = answer.body.buffer,
            answer.application.applicationVersion == options.applicationVersion
        else { return nil }
        guard isAlive(answer, now) else {
            remove(answer, query)
            return nil
        }
        return body
    }

    private func isAlive(_ answer: CachedAnswer, _ now: Timestamp) -> Bool {
        let stored = answer.variant.head.responseTime
        let life = answer.freshUntil.subtracting(saturating: stored.wall)
        if life == Self.longestLife { return true }
        // A wall clock that went back since does not tell its age.
        return now.milliseconds(since: stored).map { $0 < life } ?? false
    }

    /// That of a value without an end, in milliseconds: 35,000 years.
    private static let longestLife: Int64 = 1 << 50

    /// Removes the value of a key, if there is one.
    public func removeValue(for key: String) {
        if let query = try? query(key, now) { remove(query) }
    }

    /// Keys of answers begin otherwise.
    private func query(_ key: String, _ now: Timestamp) throws(NetcoreError) -> CacheQuery {
        try CacheQuery(value: "value:" + key, now: now)
    }
}
