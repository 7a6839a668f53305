internal import NetcoreHTTP
internal import NetcoreSupport

/// An answer as it comes: a wait, a head, pieces of a body with waits before them, and an end. Waits are in microseconds.
struct PlayedAnswer: Sendable {
    enum Ending: Sendable {
        case whole
        case failure(NetcoreError)
        /// Nothing more comes: a timeout of the request ends it.
        case silence
    }

    struct Piece: Sendable {
        let wait: Int
        let count: Int
    }

    /// Before the head, or before the end where there is no head.
    var wait = 0
    var status = 0
    /// Nil: no head comes.
    var fields: FieldBlock?
    /// What comes of the body, and the length that it was to have.
    var body = ByteBuffer()
    var length = 0
    var pieces: [Piece] = []
    var ending = Ending.whole
}
