internal import NetcoreSupport

/// The texts of a ``Try``, each with a NUL byte at its end.
package struct TryTexts {
    package let server: ContiguousArray<CChar>
    package let address: ContiguousArray<CChar>
}

extension Response {
    private static let textLock = Lock()

    /// For the C door, which lends them for as long as the response lives: made when they are first asked for.
    package func texts(ofTry index: Int) -> TryTexts {
        Self.textLock.withLock {
            if tryTexts.isEmpty {
                tryTexts = tries.map {
                    TryTexts(server: $0.server.utf8CString, address: ($0.address ?? "").utf8CString)
                }
            }
            return tryTexts[index]
        }
    }
}
