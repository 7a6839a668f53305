internal import CNetcore
internal import Netcore
internal import NetcoreHTTP
internal import Synchronization

/// The `user_data` of a function that netcore keeps. When nothing refers to it any more, `release` is called.
final class Registration: @unchecked Sendable {  // the pointer is only handed back
    let userData: UnsafeMutableRawPointer?
    private let release: netcore_release_fn?
    /// The call that registers it has succeeded: before that it is still the caller's.
    private let isTaken = Atomic<Bool>(false)

    init(_ userData: UnsafeMutableRawPointer?, _ release: netcore_release_fn?) {
        self.userData = userData
        self.release = release
    }

    deinit {
        guard isTaken.load(ordering: .acquiring), let release else { return }
        let given = UserData(pointer: userData)
        Releases.run { release(given.pointer) }
    }

    func take() { isTaken.store(true, ordering: .releasing) }
}

/// Registers a function. Where that fails, `user_data` stays the caller's.
func registering(
    _ userData: UnsafeMutableRawPointer?, _ release: netcore_release_fn?,
    _ register: (Registration) throws(NetcoreError) -> Void
) throws(NetcoreError) {
    let registration = Registration(userData, release)
    try register(registration)
    registration.take()
}
