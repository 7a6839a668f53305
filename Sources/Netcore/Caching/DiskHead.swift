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
            ignoresVary: query.timeToLive != nil, settings: settings)
    }

    func answer(_ record: StoredRecord, _ query: CacheQuery, _ cache: Cache) -> CachedAnswer {
        CachedAnswer(
            variant(query, settings: cache.settings), body: record.body, parts: parts, application: application,
            url: record.url, tag: record.tag, key: query.key, cache: cache, order: order, identity: record.identity)
    }

    // MARK: Writing

    static func record(_ answer: CachedAnswer, _ query: CacheQuery) -> StoredRecord {
        StoredRecord(
            key: query.key, variant: answer.name.text, url: answer.url, tag: answer.tag, scope: answer.application.scope,
            order: answer.order, storedAt: answer.variant.head.responseTime, freshUntil: freshUntil(answer, query),
            head: bytes(answer), body: answer.body, identity: answer.identity)
    }

    static func update(_ answer: CachedAnswer, _ query: CacheQuery) -> HeadUpdate {
        HeadUpdate(
            key: query.key, identity: answer.identity, order: answer.order,
            storedAt: answer.variant.head.responseTime, freshUntil: freshUntil(answer, query), head: bytes(answer))
    }

    private static func freshUntil(_ answer: CachedAnswer, _ query: CacheQuery) -> Int64 {
        let policy = answer.variant.policy
        let left = query.timeToLive ?? policy.lifetime * 1000 - min(policy.initialAge, 1 << 50)
        return answer.variant.head.responseTime.wall + left
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

    // MARK: Reading

    /// Nil for bytes that are none of these, such as those of another version.
    init?(_ buffer: ByteBuffer) {
        let bytes = buffer.bytes
        guard let lineEnd = bytes.firstIndex(of: 0x0A) else { return nil }
        let words = bytes[..<lineEnd].split(separator: 0x20)
        guard words.count >= 18, words[0].elementsEqual("netcore".utf8), words[1].elementsEqual("1".utf8) else { return nil }
        let numbers = words.dropFirst(2).compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == words.count - 2, numbers.count >= 16 else { return nil }
        func time(_ index: Int) -> Timestamp {
            Timestamp(wall: numbers[index], uptime: numbers[index + 1], boot: UInt64(bitPattern: numbers[index + 2]))
        }
        order = numbers[8]
        var position = lineEnd + 1
        var texts: [String] = []
        for size in numbers[11..<14] {
            guard size >= 0, size <= Int64(bytes.count - position) else { return nil }
            texts.append(String(decoding: bytes[position..<(position + Int(size))], as: UTF8.self))
            position += Int(size)
        }
        application = CachedAnswer.Application(
            scope: texts[0], version: UInt32(truncatingIfNeeded: numbers[10]), applicationVersion: texts[1],
            isOnlyByTimeToLive: numbers[9] == 1)
        variantKey = texts[2]
        guard let fields = Self.fields(UnsafeRawBufferPointer(rebasing: bytes[position...])) else { return nil }
        head = StoredHead(
            status: Int(truncatingIfNeeded: numbers[0]), version: HTTPVersion(rawValue: Int32(truncatingIfNeeded: numbers[1])),
            fields: fields, requestTime: time(2), responseTime: time(5))
        if numbers[15] >= 0 {
            let bounds = numbers[16...]
            guard bounds.count == Int(numbers[15]) * 2 else { return nil }
            var ranges: [Range<Int64>] = []
            for index in stride(from: bounds.startIndex, to: bounds.endIndex, by: 2) {
                guard bounds[index] >= 0, bounds[index] <= bounds[index + 1] else { return nil }
                ranges.append(bounds[index]..<bounds[index + 1])
            }
            parts = PartialContent(ranges: ranges, completeLength: numbers[14] < 0 ? nil : numbers[14])
        }
    }

    private static func fields(_ bytes: UnsafeRawBufferPointer) -> FieldBlock? {
        let block = FieldBlock()
        var rest = bytes
        while !rest.isEmpty {
            guard let nameEnd = rest.firstIndex(of: 0),
                let valueEnd = rest[(nameEnd + 1)...].firstIndex(of: 0)
            else { return nil }
            block.append(
                name: UnsafeRawBufferPointer(rebasing: rest[..<nameEnd]),
                value: UnsafeRawBufferPointer(rebasing: rest[(nameEnd + 1)..<valueEnd]))
            rest = UnsafeRawBufferPointer(rebasing: rest[(valueEnd + 1)...])
        }
        return block
    }
}
