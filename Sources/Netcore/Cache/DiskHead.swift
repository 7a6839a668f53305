internal import NetcoreHTTP
internal import NetcoreStorage
internal import NetcoreSupport

/// A stored answer without its body, as the disk level keeps it: lines of text, then the fields.
///
///     netcore 1
///     status version requestTime(3) responseTime(3) order isOnlyByTimeToLive number-of-parts parts… complete-length
///     lengths of scope, application version, variant key; version
///     the three texts
///     the fields: name NUL value NUL …
struct DiskHead {
    var head: StoredHead
    var application: CachedAnswer.Application
    var variantKey: String
    var parts: PartialContent?
    var order: Int64

    var name: VariantName { VariantName(application.scope, variantKey) }

    func variant(_ query: CacheQuery, settings: CacheSettings) -> Variant {
        Variant(
            head, key: variantKey, isSecure: query.request.url.isSecure, isPartial: parts != nil,
            ignoresVary: query.isApplications, settings: settings)
    }

    /// Nil when the body is not as long as its parts say.
    func answer(_ record: StoredRecord, _ query: CacheQuery, _ cache: Cache) -> CachedAnswer? {
        guard parts.map({ $0.byteCount == Int64(record.body.count) }) ?? true else { return nil }
        return CachedAnswer(
            variant(query, settings: cache.settings), body: record.body, parts: parts, application: application,
            url: record.url, tag: record.tag, key: query.key, cache: cache, order: order, freshUntil: record.freshUntil,
            identity: record.identity)
    }

    static func record(_ answer: CachedAnswer, _ query: CacheQuery) -> StoredRecord {
        StoredRecord(
            key: query.key, variant: answer.name.text, url: answer.url, tag: answer.tag,
            scope: answer.application.scope,
            order: answer.order, storedAt: answer.variant.head.responseTime, freshUntil: answer.freshUntil,
            head: bytes(answer), body: answer.body, identity: answer.identity)
    }

    static func update(_ answer: CachedAnswer, _ query: CacheQuery) -> HeadUpdate {
        HeadUpdate(
            key: query.key, identity: answer.identity, order: answer.order,
            storedAt: answer.variant.head.responseTime, freshUntil: answer.freshUntil, head: bytes(answer))
    }

    private static func bytes(_ answer: CachedAnswer) -> ByteBuffer {
        let head = answer.variant.head
        let application = answer.application
        var numbers: [Int64] = [Int64(head.status), Int64(head.version?.rawValue ?? 0)]
        for time in [head.requestTime, head.responseTime] {
            numbers += [time.wall, time.uptime, Int64(bitPattern: time.boot)]
        }
        numbers += [answer.order, application.isOnlyByTimeToLive ? 1 : 0, Int64(application.version)]
        let texts = [application.scope, application.applicationVersion, answer.variant.key]
        numbers += texts.map { Int64($0.utf8.count) }
        numbers.append(answer.parts?.completeLength ?? -1)
        numbers.append(Int64(answer.parts?.ranges.count ?? -1))
        for range in answer.parts?.ranges ?? [] { numbers += [range.lowerBound, range.upperBound] }
        let text = "netcore 1 " + numbers.map { String($0) }.joined(separator: " ") + "\n" + texts.joined()
        let buffer = ByteBuffer()
        _ = buffer.reserve(text.utf8.count + head.fields.contents.count)
        var copy = text
        copy.withUTF8 { _ = buffer.append(UnsafeRawBufferPointer($0)) }
        buffer.append(head.fields.contents)
        return buffer
    }
}
