/// How a client hands over completions, and who moves its bytes.
public enum CompletionMode: Sendable {
    /// Callbacks run on one serial thread of the client's.
    case callback
    /// Callbacks run inside ``Client/process(maximum:)``, which the application's own loop calls.
    case pump
    /// No callbacks: completions are taken. For the C door.
    case queue
    /// As ``pump``, and ``Client/process(maximum:)`` moves the bytes as well: the client has no thread for that.
    case loop
    /// As ``queue``, and who takes completions moves the bytes as well. For the C door.
    case loopQueue

    /// Whether completions are taken, and no callbacks run.
    package var isTaken: Bool { self == .queue || self == .loopQueue }

    /// Whether callbacks run inside ``Client/process(maximum:)``.
    package var isPumped: Bool { self == .pump || self == .loop }

    /// Whether the application's own loop drives the client's.
    package var isApplicationDriven: Bool { self == .loop || self == .loopQueue }
}
