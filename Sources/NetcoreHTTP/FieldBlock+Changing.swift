extension FieldBlock {
    /// Another block without the fields of some names, compared without case, and with one more after the others. Nil when memory ran out.
    package func without(_ names: [String], adding field: (name: String, value: [UInt8])? = nil) -> FieldBlock? {
        let result = FieldBlock()
        for index in 0..<count {
            let name = name(at: index)
            guard !names.contains(where: { $0.equalsIgnoringCase(name) }) else { continue }
            guard result.append(name: name, value: value(at: index)) else { return nil }
        }
        guard let field else { return result }
        var name = field.name
        let isAdded = name.withUTF8 { name in
            field.value.withUnsafeBytes { result.append(name: UnsafeRawBufferPointer(name), value: $0) }
        }
        return isAdded ? result : nil
    }
}

extension String {
    fileprivate func equalsIgnoringCase(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var text = self
        return text.withUTF8 { Syntax.equalsIgnoringCase(UnsafeRawBufferPointer($0), bytes) }
    }
}
