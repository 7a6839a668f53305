internal import NetcoreSupport

/// The messages for people, by ``ApplicationCode``; one for the process. An application replaces and translates them.
///
///     ErrorCatalogue.set(.noNetwork, "Keine Verbindung zum Internet.")
///     ErrorCatalogue.set(.soldOut, "{detail} ist ausverkauft.")
///
/// These stand for something in a message: `{code}`, `{status}` (the HTTP status code), `{seconds}` (until such a request is let through)
/// and `{detail}` (what the answer says, ``ErrorTable/messageField``). What is not known is left out.
public enum ErrorCatalogue {
    /// Sets a message, for errors whose ``NetcoreError/userMessage`` is read afterwards; nil for the default.
    public static func set(_ code: ApplicationCode, _ message: String?) { shared.set(code, message) }

    /// The message of a code, with its placeholders; nil for one without.
    public static func message(_ code: ApplicationCode) -> String? { shared.message(code) ?? defaults[code] }

    private static let shared = Messages()

    private final class Messages: @unchecked Sendable {  // under `lock`
        private let lock = Lock()
        private var messages: [ApplicationCode: String] = [:]

        func set(_ code: ApplicationCode, _ message: String?) { lock.withLock { messages[code] = message } }

        func message(_ code: ApplicationCode) -> String? { lock.withLock { messages[code] } }
    }

    private static let defaults: [ApplicationCode: String] = [
        .default: "Something went wrong.",
        .timeout: "The server took too long to answer.",
        .cannotConnect: "The server cannot be reached.",
        .noNetwork: "There is no connection to the network.",
        .canceled: "Canceled.",
        .noData: "There is nothing here.",
        .noMoreData: "There is nothing more.",
        .notAllowed: "This is not allowed.",
        .notFound: "This was not found.",
        .serverError: "The server has a problem. Try again later.",
        .invalidAnswer: "The server sent an answer that cannot be used.",
        .insecure: "There is no secure connection to the server.",
        .tooManyRequests: "There were too many requests. Try again later.",
        .rejected: "The server did not accept this.",
        .invalidRequest: "This cannot be requested.",
        .storage: "A file cannot be read or written.",
    ]

    /// A message with something in place of its placeholders.
    ///
    /// - Parameter values: by name; what is not among them stays as it is.
    static func filled(_ message: String, _ values: [(name: StaticString, text: String)]) -> String {
        guard message.utf8.contains(UInt8(ascii: "{")) else { return message }
        var result: [UInt8] = []
        var rest = message.utf8[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
            result += rest[..<open]
            let inner = rest[rest.index(after: open)...]
            let name = inner.prefix { $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: "{") }
            if name.endIndex < inner.endIndex, inner[name.endIndex] == UInt8(ascii: "}"),
                let value = values.first(where: { $0.name.description.utf8.elementsEqual(name) })
            {
                result += value.text.utf8
                rest = inner[inner.index(after: name.endIndex)...]
            } else {
                result.append(UInt8(ascii: "{"))
                rest = inner
            }
        }
        result += rest
        return String(decoding: result, as: UTF8.self)
    }
}

extension NetcoreError {
    /// What to show and to decide by: that of the error table of its request, or else the general code of its status.
    public var applicationCode: ApplicationCode {
        meaning?.code ?? ApplicationCode(code, httpStatus: Int(nativeCode))
    }

    /// For people: the message of its code in the error table; for a code of the application's that of the ``ErrorCatalogue``; what the
    /// answer says itself (``ErrorTable/messageField``); the message of the catalogue. An error of the application's own that has none of
    /// these has its ``message``.
    public var userMessage: String {
        let code = applicationCode
        let listed = ErrorCatalogue.message(code)
        let own = Self.Code.ofApplication.contains(self.code.rawValue) ? message : nil
        let text =
            meaning?.message ?? (code.isOfApplication ? listed : nil) ?? meaning?.detail ?? listed ?? own
            ?? ErrorCatalogue.message(.default) ?? ""
        let status = meaning?.httpStatus ?? (self.code == .rejectedStatus || self.code == .httpStatus ? nativeCode : 0)
        return ErrorCatalogue.filled(
            text,
            [
                ("code", String(code.rawValue)), ("status", status == 0 ? "" : String(status)),
                ("seconds", retryAfter.map { String(($0.milliseconds + 999) / 1000) } ?? ""),
                ("detail", meaning?.detail ?? ""),
            ])
    }
}
