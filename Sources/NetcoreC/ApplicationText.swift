internal import CNetcore
internal import NetcoreHTTP

/// A pointer of the application's, which is handed back to it.
struct UserData: @unchecked Sendable {  // a pointer that is never read through
    let pointer: UnsafeMutableRawPointer?
}

extension NetcoreError {
    /// What a function of the application's returned, other than success.
    init(applicationStatus status: netcore_status, _ message: String) {
        let code = Code(rawValue: status)
        // States and cancels mean something else to a caller that waits for the task.
        let isOutcome = code.isKnown && status / 100 != 2 && status / 100 != 3
        self.init(isOutcome ? code : .refused, message, nativeCode: status)
    }
}

/// Texts that functions of the application's write: see "Functions that write a text" in netcore/base.h.
enum ApplicationText {
    private static let longest: Int32 = 1 << 20

    /// Nil where there is none, one that is too long, or one that is not UTF-8.
    ///
    /// - Parameters:
    ///   - capacity: of the first call.
    ///   - notUTF8: what is thrown for a text that is not UTF-8.
    static func read(
        _ who: StaticString, capacity first: Int = 256, notUTF8: NetcoreError? = nil,
        _ write: (_ room: UnsafeMutablePointer<CChar>, _ capacity: Int) -> Int32
    ) throws(NetcoreError) -> String? {
        var capacity = first
        for _ in 0..<2 {
            var room = [CChar](repeating: 0, count: capacity)
            let length = room.withUnsafeMutableBufferPointer { room in
                room.baseAddress.map { write($0, capacity) } ?? Int32(NETCORE_TEXT_NONE)
            }
            guard length >= NETCORE_TEXT_NONE else {
                throw NetcoreError(applicationStatus: length, "\(who) refused with \(length)")
            }
            guard (0...longest).contains(length) else { return nil }
            if length < capacity {
                let text = String(validating: room[..<Int(length)].lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                if let notUTF8, text == nil { throw notUTF8 }
                return text
            }
            capacity = Int(length) + 1
        }
        return nil
    }
}
