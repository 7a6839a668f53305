/// Which bytes an answer is about: one version of a resource, for one variant and one owner.
struct ModelRepresentation: Hashable {
    var resource: Int
    var version: Int
    /// What was selected by, such as "Accept-Language=en".
    var variant = ""
    /// To whom it belongs; empty when it is the same for all.
    var owner = ""
    /// Not a version of the resource, but what one answer says, such as an error or the outcome of a POST.
    var occasion = 0

    /// More bytes: where nothing else tells two versions apart they have different lengths.
    var padding = 0

    /// Different for different representations.
    var bytes: [UInt8] {
        let name = "/\(resource) \(version) \(variant) \(owner) \(occasion) "
        return Array((name + String(repeating: "#", count: 24 + padding)).utf8)
    }

    var tag: String {
        let text = "\(version).\(variant).\(owner).\(occasion)"
        return "\"" + String(text.map { $0 == " " || $0 == "=" ? "_" : $0 }) + "\""
    }
}

/// How the answers of one version of a resource look.
struct ModelVersion {
    enum Lifetime {
        case maxAge, expires, heuristic
    }

    var number: Int
    var status = 200
    var lifetime = Lifetime.maxAge
    var hasTag = true
    var isTagWeak = false
    /// In seconds since 1970.
    var lastModified: Int64?
    var vary: [String] = []
    var isVaryAny = false

    /// The values of those request fields that the version depends on, in one form.
    func variant(_ fields: [String: String]) -> String {
        vary.map { name in
            guard let value = fields[name] else { return "\(name)-" }
            return "\(name)=\(name == "Accept-Language" ? value.lowercased() : value)"
        }.joined(separator: " ")
    }
}
