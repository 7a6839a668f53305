internal import Glibc

/// Keeps signals from a thread for a while, and for good from the threads that a library starts meanwhile: they take over its mask.
package struct SignalShield {
    private var before: sigset_t?

    package init() {}

    package mutating func raise() {
        guard before == nil else { return }
        var all = sigset_t()
        var old = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &old)
        before = old
    }

    /// On the thread that raised it.
    package mutating func lower() {
        guard var old = before else { return }
        before = nil
        pthread_sigmask(SIG_SETMASK, &old, nil)
    }
}
