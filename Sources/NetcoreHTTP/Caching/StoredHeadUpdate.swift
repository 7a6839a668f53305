package import NetcoreSupport

/// Updates the head of a stored answer (RFC 9111 section 3.2).
package enum StoredHeadUpdate {
    /// The stored head with the fields of a 304, or of an answer to HEAD, in place of its own, and with the times of that
    /// exchange.
    ///
    /// What describes the stored body stays: Content-Length, Content-Encoding, Content-Range and digests. An Age or Date
    /// of the old answer goes: they would be taken for the new one's. The variant's key is to be made anew, from the request
    /// that was answered: Vary may be another one.
    package static func updated(
        _ head: StoredHead, with fields: FieldBlock, requestTime: Timestamp, responseTime: Timestamp,
        settings: CacheSettings
    ) -> StoredHead {
        let received = responseTime.wall / 1000
        let storage = FieldStorage(fields, ResponseDirectives(fields), isShared: settings.isShared)
        let news = FieldBlock()
        news.append(fields) { storage.keeps($0) && !describesBody($0) }
        let names = FieldNames(of: news)
        let merged = FieldBlock()
        merged.append(head.fields) { name in
            !names.contains(name) && !Syntax.equalsIgnoringCase(name, "age") && !Syntax.equalsIgnoringCase(name, "date")
        }
        merged.append(news) { _ in true }
        // A qualified no-cache or private may be new, and then also concerns what was stored before.
        let kept = FieldStorage(merged, ResponseDirectives(merged), isShared: settings.isShared)
        var result = head
        result.fields = kept.filtered(merged, receivedAt: received)
        result.requestTime = requestTime
        result.responseTime = responseTime
        return result
    }

    /// Whether a head is small enough to be stored in place of the one that it updates. A server may add other fields
    /// by each 304; what is stored then goes, rather than the fields, which may forbid its use.
    ///
    /// - Parameter limit: bytes of a header section, as for an answer that is received.
    package static func fits(_ head: StoredHead, limit: Int) -> Bool { head.fields.contents.count <= limit }

    private static func describesBody(_ name: UnsafeRawBufferPointer) -> Bool {
        switch name.count {
        case 6: Syntax.equalsIgnoringCase(name, "digest")
        case 11: Syntax.equalsIgnoringCase(name, "repr-digest") || Syntax.equalsIgnoringCase(name, "content-md5")
        case 13: Syntax.equalsIgnoringCase(name, "content-range")
        case 14: Syntax.equalsIgnoringCase(name, "content-length") || Syntax.equalsIgnoringCase(name, "content-digest")
        case 16: Syntax.equalsIgnoringCase(name, "content-encoding")
        default: false
        }
    }
}

/// The names of the fields of a block, to be looked up without case. A few are compared one by one; of many a set is
/// made.
private struct FieldNames {
    private let block: FieldBlock
    private let many: Set<String>?

    init(of block: FieldBlock) {
        self.block = block
        guard block.count > 16 else {
            many = nil
            return
        }
        many = Set((0..<block.count).map { CacheControl.lowercased(block.name(at: $0)) })
    }

    func contains(_ name: UnsafeRawBufferPointer) -> Bool {
        many.map { $0.contains(CacheControl.lowercased(name)) } ?? (block.index(of: name) != nil)
    }
}
