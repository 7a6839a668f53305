internal import CNetcore
internal import Glibc
internal import NetcoreHTTP

/// The fields of requests and responses, lent to C.
enum Fields {
    static func value(
        _ name: UnsafePointer<CChar>?, _ index: UInt32, in block: FieldBlock?, of owner: StaticString
    ) throws(NetcoreError) -> netcore_bytes {
        let name = try Argument.notNull(name, "name")
        let bytes = UnsafeRawBufferPointer(start: name, count: strlen(name))
        guard let block, let found = block.index(of: bytes, occurrence: Int(index)) else {
            throw NetcoreError(
                .notFound, argument: index == 0 ? "name" : "index", "the \(owner) has no such field at that index")
        }
        return netcore_bytes(block.value(at: found))
    }

    static func read(
        _ index: UInt32, in block: FieldBlock?, _ outName: UnsafeMutablePointer<netcore_bytes>?,
        _ outValue: UnsafeMutablePointer<netcore_bytes>?
    ) throws(NetcoreError) {
        guard let block, index < block.count else {
            throw NetcoreError(.notFound, argument: "index", "there are \(block?.count ?? 0) fields")
        }
        outName?.pointee = netcore_bytes(block.name(at: Int(index)))
        outValue?.pointee = netcore_bytes(block.value(at: Int(index)))
    }
}
