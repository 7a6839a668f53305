import NetcoreHTTP
import NetcoreSupport

func request(
    _ lines: String..., method: String = "GET", url: String = "https://a.example/x"
) throws -> CacheableRequest {
    CacheableRequest(method: method, url: try HTTPURL(url), fields: block(lines), now: at())
}

/// The head of an answer that came at noon without delay.
func head(_ lines: [String], status: Int = 200, at time: Timestamp = at()) -> StoredHead {
    StoredHead(status: status, version: nil, fields: block(lines), requestTime: time, responseTime: time)
}

func policy(
    _ lines: String..., status: Int = 200, isSecure: Bool = true, settings: CacheSettings = CacheSettings()
) -> StoredPolicy {
    StoredPolicy(head(lines, status: status), isSecure: isSecure, settings: settings)
}

func variant(
    _ lines: String..., for fields: FieldBlock = FieldBlock(), status: Int = 200, isPartial: Bool = false,
    at time: Timestamp = at()
) -> StoredVariant {
    let head = head(lines, status: status, at: time)
    return StoredVariant(
        head, key: Vary(head.fields).key(fields), isSecure: true, isPartial: isPartial, settings: CacheSettings())
}

var sharedSettings: CacheSettings {
    var settings = CacheSettings()
    settings.isShared = true
    return settings
}

extension StoredPolicy {
    init(_ head: StoredHead, isSecure: Bool, settings: CacheSettings) {
        self.init(
            head, Validators(head.fields, now: head.responseTime.wall / 1000), isSecure: isSecure, settings: settings)
    }
}
