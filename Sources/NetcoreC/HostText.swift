internal import CNetcore
internal import NetcoreHTTP

/// A pointer of the host's, which is handed back to it.
struct UserData: @unchecked Sendable {  // never looked behind
    let pointer: UnsafeMutableRawPointer?
}

extension NetcoreError {
    /// What a function of the host's returned, other than success.
    init(hostStatus status: netcore_status, _ message: String) {
        let code = Code(rawValue: status)
        // States and cancels have a meaning of their own for who waits for the task.
        let isOutcome = code.isKnown && status / 100 != 2 && status / 100 != 3
        self.init(isOutcome ? code : .refused, message, nativeCode: status)
    }
}

/// Texts that functions of the host's write in the manner of snprintf().
enum HostText {
    private static let longest: Int32 = 1 << 20

    /// Nil where the function has none, or one that is not UTF-8.
    static func read(_ write: (_ room: UnsafeMutablePointer<CChar>, _ capacity: Int) -> Int32) -> String? {
        var capacity = 256
        for _ in 0..<2 {
            var room = [CChar](repeating: 0, count: capacity)
            let length = room.withUnsafeMutableBufferPointer { room in
                room.baseAddress.map { write($0, capacity) } ?? -1
            }
            guard (0...longest).contains(length) else { return nil }
            guard length >= capacity else {
                return String(validating: room[..<Int(length)].lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }
            capacity = Int(length) + 1
        }
        return nil
    }
}
