internal import CJansson

/// A value of an HTTP archive, with its place for messages.
struct HARValue {
    let value: JSONValue
    /// Names and numbers with "/" between: "log/entries/3/request/url".
    let place: String

    /// A member that is there and not null.
    func member(_ name: String) throws(NetcoreError) -> HARValue? {
        guard value.pointee.type == JSON_OBJECT else { throw wrong("an object") }
        guard let found = value.member(name), !found.isNull else { return nil }
        return HARValue(value: found, place: place.isEmpty ? name : "\(place)/\(name)")
    }

    /// A member that must be there.
    func required(_ name: String) throws(NetcoreError) -> HARValue {
        guard let found = try member(name) else {
            throw Self.error("\(place.isEmpty ? "" : place + "/")\(name) is missing")
        }
        return found
    }

    func text(_ name: String) throws(NetcoreError) -> String? {
        guard let found = try member(name) else { return nil }
        guard let text = found.value.string else { throw found.wrong("a string") }
        return text
    }

    func number(_ name: String) throws(NetcoreError) -> Double? {
        guard let found = try member(name) else { return nil }
        guard [JSON_INTEGER, JSON_REAL].contains(found.value.pointee.type) else { throw found.wrong("a number") }
        return json_number_value(found.value)
    }

    /// The elements of a member that is an array; none if it is missing.
    func list(_ name: String) throws(NetcoreError) -> [HARValue] {
        guard let found = try member(name) else { return [] }
        guard found.value.pointee.type == JSON_ARRAY else { throw found.wrong("an array") }
        return found.value.elements.enumerated().map {
            HARValue(value: $0.element, place: "\(found.place)/\($0.offset)")
        }
    }

    func wrong(_ expected: String) -> NetcoreError {
        Self.error("\(place.isEmpty ? "it" : place) must be \(expected)")
    }

    static func error(_ message: String) -> NetcoreError { NetcoreError(.storage, "damaged: \(message)") }
}
