import Netcore
import NetcoreCodable

/// Why a request failed: a sentence for people, and a code for programs.
struct ShopError: Error {
    let code: Int
    let text: String

    static let isLoggedOut = 303

    /// What people are told, by the code in the body of an error.
    private static let messages = [
        301: "There is no such product.",
        302: "The name or the password is wrong.",
        isLoggedOut: "Please log in first.",
        304: "The shop does not have that many.",
        305: "Something about that is not as it should be.",
        306: "A picture must be a PNG or JPEG file.",
        307: "The picture is too large.",
        308: "The shop is busy. Please try again in a minute.",
    ]

    private struct Body: Decodable {
        let code: Int
    }

    /// What an application shows for an error.
    init(_ error: any Error) {
        switch error {
        case let error as ShopError: self = error
        case let error as NetcoreError where error.code == .rejectedStatus:
            let code = (try? error.response?.decode(Body.self))?.code ?? Int(error.nativeCode)
            self.init(code: code, text: Self.messages[code] ?? "The shop answered with error \(code).")
        case let error as NetcoreError:
            // Timeouts, names that do not resolve, connections and TLS, and a token that could not be got.
            let isUnreachable = (400..<800).contains(error.code.rawValue) || error.code == .refused
            let text = isUnreachable ? "The shop cannot be reached. Are you online?" : "Something went wrong: \(error)"
            self.init(code: Int(error.code.rawValue), text: text)
        default: self.init(code: 0, text: "Something went wrong: \(error)")
        }
    }

    private init(code: Int, text: String) {
        self.code = code
        self.text = text
    }
}
