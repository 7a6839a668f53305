import Glibc
import Synchronization

/// The options of a run: `[--requests N] [--warmup N] [--concurrency N] URL`.
public struct Options: Sendable {
    public var requests = 1000
    public var warmup = 0
    public var concurrency = 1
    public var url = ""

    public init(_ arguments: [String]) {
        var rest = arguments.dropFirst()
        while let argument = rest.popFirst() {
            switch argument {
            case "--requests": requests = rest.popFirst().flatMap { Int($0) } ?? requests
            case "--warmup": warmup = rest.popFirst().flatMap { Int($0) } ?? warmup
            case "--concurrency": concurrency = rest.popFirst().flatMap { Int($0) } ?? concurrency
            default: url = argument
            }
        }
    }
}

/// The measured part of a run: what comes after the warm-up.
public final class Window: Sendable {
    public let options: Options
    private let state: Mutex<State>

    private struct State {
        var toStart: Int
        var latencies: [UInt64] = []
        var failed = 0
        var bodyBytes = 0
        var began = Mark()
        var ended = Mark()
    }

    private struct Mark {
        let nanoseconds = Window.now()
        let cpu: rusage

        init() {
            var usage = rusage()
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
            cpu = usage
        }
    }

    public init(_ options: Options) {
        self.options = options
        state = Mutex(State(toStart: options.warmup + options.requests))
        state.withLock { $0.latencies.reserveCapacity(options.warmup + options.requests) }
    }

    public static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Takes leave to send one request: the time now, or nil when enough were sent.
    private func start() -> UInt64? {
        let granted = state.withLock { state in
            state.toStart -= 1
            return state.toStart >= 0
        }
        return granted ? Window.now() : nil
    }

    /// Counts one answer.
    private func count(startedAt: UInt64, good: Bool, bodyBytes: Int) {
        let latency = Window.now() - startedAt
        state.withLock { state in
            state.latencies.append(latency)
            state.failed += good ? 0 : 1
            state.bodyBytes += bodyBytes
            if state.latencies.count == options.warmup { state.began = Mark() }
            if state.latencies.count == options.warmup + options.requests { state.ended = Mark() }
        }
    }

    /// Sends by an async function, from as many tasks as requests at once; prints the figures and ends the process. The
    /// main thread sleeps meanwhile: handed over to Dispatch, it would end valgrind.
    public func run(client: String, _ get: @escaping @Sendable () async -> (good: Bool, bodyBytes: Int)) -> Never {
        Task.detached {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<self.options.concurrency { group.addTask { await self.send(get) } }
            }
            self.printFigures(client: client)
            exit(0)
        }
        while true { pause() }
    }

    private func send(_ get: @Sendable () async -> (good: Bool, bodyBytes: Int)) async {
        while let startedAt = start() {
            let answer = await get()
            count(startedAt: startedAt, good: answer.good, bodyBytes: answer.bodyBytes)
        }
    }

    /// Prints the figures as one line of JSON.
    private func printFigures(client: String) {
        state.withLock { state in
            let latencies = state.latencies.dropFirst(options.warmup).sorted().map { Double($0) / 1e3 }
            let seconds = Double(state.ended.nanoseconds - state.began.nanoseconds) / 1e9
            let (began, ended) = (state.began.cpu, state.ended.cpu)
            let figures: [(String, Any)] = [
                ("concurrency", options.concurrency), ("requests", options.requests), ("failed", state.failed),
                ("body_bytes", state.bodyBytes), ("seconds", seconds),
                ("throughput", Double(options.requests) / seconds),
                ("p50_us", latencies[latencies.count / 2]), ("p99_us", latencies[latencies.count * 99 / 100]),
                ("user_s", ended.ru_utime.seconds - began.ru_utime.seconds),
                ("sys_s", ended.ru_stime.seconds - began.ru_stime.seconds), ("max_rss_kb", ended.ru_maxrss),
            ]
            let members = figures.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ")
            print("{\"client\": \"\(client)\", \(members)}")
        }
    }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
