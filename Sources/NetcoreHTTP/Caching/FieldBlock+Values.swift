/// Reading the values of a field as the caching rules need them: over all field lines of a name, as bytes.
extension FieldBlock {
    /// Lends each value of a name, in order.
    package func forEachValue(of name: StaticString, _ body: (UnsafeRawBufferPointer) -> Void) {
        let name = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        var next = index(of: name)
        while let index = next {
            body(value(at: index))
            next = self.index(of: name, from: index + 1)
        }
    }

    /// Lends the first value of a name.
    package func withFirstValue<Result>(of name: StaticString, _ body: (UnsafeRawBufferPointer) -> Result?) -> Result? {
        guard let index = index(of: name) else { return nil }
        return body(value(at: index))
    }

    package func contains(_ name: StaticString) -> Bool { index(of: name) != nil }

    /// The values of all fields of a name, joined by ", " (RFC 9110 section 5.3); nil when there is none.
    package func joinedValue(of name: UnsafeRawBufferPointer) -> [UInt8]? {
        var result: [UInt8]?
        for index in 0..<count where Syntax.equalsIgnoringCase(self.name(at: index), name) {
            if result == nil { result = Array(value(at: index)) } else { result? += [0x2C, 0x20] + value(at: index) }
        }
        return result
    }

    package func joinedValue(of name: StaticString) -> [UInt8]? {
        joinedValue(of: UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    /// The only value of a date field, in seconds since 1970. A date that is not one of the three formats, or field lines
    /// that contradict each other, are ``DateField/invalid``.
    package func date(_ name: StaticString, now: Int64) -> DateField {
        var result = DateField.absent
        forEachValue(of: name) { value in
            let read = HTTPDate.parse(Syntax.trimmed(value), now: now).map(DateField.valid) ?? .invalid
            if result == .absent { result = read } else if result != read { result = .invalid }
        }
        return result
    }

    /// Adds a field. Returns false when memory ran out.
    @discardableResult
    package func append(_ name: StaticString, _ value: [UInt8]) -> Bool {
        value.withUnsafeBytes {
            append(name: UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), value: $0)
        }
    }

    /// Adds the fields of another block that a rule keeps. Returns false when memory ran out.
    @discardableResult
    package func append(_ other: FieldBlock, where keeps: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        for index in 0..<other.count where keeps(other.name(at: index)) {
            guard append(name: other.name(at: index), value: other.value(at: index)) else { return false }
        }
        return true
    }
}

/// What a field that holds one date says (RFC 9110 section 5.6.7).
package enum DateField: Sendable, Hashable {
    case absent
    case invalid
    case valid(Int64)

    package var seconds: Int64? {
        if case .valid(let seconds) = self { seconds } else { nil }
    }
}
