internal import CLinux
internal import Glibc

/// A thread that blocks all signals: the application's handlers run on its own threads, and a broken pipe under TLS is an
/// error of the transfer instead of the end of the process.
package struct Thread: @unchecked Sendable {  // a pthread_t is a plain value
    private let id: pthread_t

    private final class Body {
        let name: String
        let mayWait: Bool
        let run: () -> Void

        init(_ name: String, _ mayWait: Bool, _ run: @escaping () -> Void) {
            self.name = name
            self.mayWait = mayWait
            self.run = run
        }
    }

    /// Set in threads that others of netcore's wait for.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Whether the calling thread may wait for others of netcore's. One that these wait for would wait for ever.
    package static var mayWait: Bool { pthread_getspecific(key) == nil }

    /// Runs a body for which others of netcore's may wait: in it, the thread may not wait for them.
    package static func whileAwaited<Result>(_ body: () -> Result) -> Result {
        let before = pthread_getspecific(key)
        pthread_setspecific(key, before ?? UnsafeMutableRawPointer(bitPattern: 1))
        defer { pthread_setspecific(key, before) }
        return body()
    }

    /// Starts a thread; nil when the system has none left. The name shows in debuggers: at most 15 bytes.
    package init?(name: String, mayWait: Bool = true, _ run: @escaping @Sendable () -> Void) {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let body = Unmanaged.passRetained(Body(name, mayWait, run))
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let body = Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
                netcore_set_thread_name(body.name)
                if !body.mayWait { pthread_setspecific(Thread.key, argument) }
                body.run()
                return nil
            }, body.toOpaque())
        guard failure == 0 else {
            body.release()
            return nil
        }
        id = thread
    }

    package var isCurrent: Bool { pthread_equal(id, pthread_self()) != 0 }

    package func join() { pthread_join(id, nil) }

    package func detach() { pthread_detach(id) }
}
