public import CNetcore
internal import Glibc
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

// MARK: Setting

/// Reads a policy, and registers its function.
private func withPolicy(
    _ options: UnsafePointer<netcore_retry_options>, _ take: (RetryPolicy) throws(NetcoreError) -> Void
) throws(NetcoreError) {
    let from = try netcore_retry_options.read(options, "options")
    var policy = try RetryPolicy(from)
    guard let decide = from.decide else { return try take(policy) }
    try registering(from.user_data, from.release) { (registration) throws(NetcoreError) in
        let function = RetryFunction(call: decide, registration: registration)
        policy.decide = { function.decide($0) }
        try take(policy)
    }
}

extension RetryPolicy {
    /// All but the function.
    fileprivate init(_ from: netcore_retry_options) throws(NetcoreError) {
        self.init()
        if from.attempts != 0 { attempts = Int(from.attempts) }
        Self.set(&baseDelay, from.base_delay_ms)
        Self.set(&throttledDelay, from.throttled_delay_ms)
        Self.set(&maximumDelay, from.max_delay_ms)
        Self.set(&maximumRetryAfter, from.max_retry_after_ms)
        if from.attempt_timeout_ms != 0 { attemptTimeout = .milliseconds(Int64(clamping: from.attempt_timeout_ms)) }
        let statuses = try Argument.array(from.statuses, from.status_count, "statuses", "status_count") { Int($0) }
        if !statuses.isEmpty { self.statuses = statuses }
        let methods = try Argument.array(from.methods, from.method_count, "methods", "method_count") {
            (text) throws(NetcoreError) in try Argument.text(text, "methods")
        }
        if !methods.isEmpty { self.methods = methods }
        switch Int(from.errors) {
        case 0: break
        case Int(NETCORE_RETRY_ERRORS_NONE): errors = []
        default: errors = Errors(rawValue: from.errors)
        }
        makesIdempotencyKeys = try Argument.flag(from.idempotency_keys, "idempotency_keys")
        budget = Budget(from)
    }

    private static func set(_ delay: inout Duration, _ milliseconds: UInt64) {
        if milliseconds != 0 { delay = .milliseconds(Int64(clamping: milliseconds)) }
    }
}

extension RetryPolicy.Budget {
    fileprivate init?(_ from: netcore_retry_options) {
        guard from.budget_tokens != .max else { return nil }
        self.init()
        if from.budget_tokens != 0 { tokens = Int(from.budget_tokens) }
        if from.budget_success_percent != 0 {
            perSuccess = from.budget_success_percent == .max ? 0 : Double(from.budget_success_percent) / 100
        }
        if from.budget_per_second != 0 {
            perSecond = from.budget_per_second == .max ? 0 : Int(from.budget_per_second)
        }
    }
}

@_cdecl("netcore_client_set_retries") @implementation
public func netcore_client_set_retries(
    _ client: netcore_client, _ options: UnsafePointer<netcore_retry_options>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        guard let options else { return try client.setRetries(nil) }
        try withPolicy(options) { (policy) throws(NetcoreError) in try client.setRetries(policy) }
    }
}

@_cdecl("netcore_request_set_retries") @implementation
public func netcore_request_set_retries(
    _ request: netcore_request, _ retries: netcore_retries, _ options: UnsafePointer<netcore_retry_options>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        let isOwn = Int(retries) == Int(NETCORE_RETRIES_OWN)
        guard options == nil || isOwn else {
            throw NetcoreError(.invalidArgument, argument: "options", "must be null without NETCORE_RETRIES_OWN")
        }
        switch Int(retries) {
        case Int(NETCORE_RETRIES_CLIENT): try request.setRetries(.client)
        case Int(NETCORE_RETRIES_OFF): try request.setRetries(.off)
        case Int(NETCORE_RETRIES_OWN):
            guard let options else { return try request.setRetries(.policy(.standard)) }
            try withPolicy(options) { (policy) throws(NetcoreError) in try request.setRetries(.policy(policy)) }
        default: throw NetcoreError(.invalidArgument, argument: "retries", "not a netcore_retries value")
        }
    }
}

@_cdecl("netcore_request_set_idempotent") @implementation
public func netcore_request_set_idempotent(_ request: netcore_request, _ idempotent: Int32) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        request.isIdempotent = try Argument.flag(idempotent, "idempotent")
    }
}

// MARK: The application's function

private struct RetryFunction: @unchecked Sendable {  // a function pointer, and a pointer that is handed back
    let call: netcore_retry_fn
    let registration: Registration

    /// Lends the outcome, and its answer under a handle.
    func decide(_ outcome: RetryPolicy.Outcome) -> RetryPolicy.Verdict {
        var lent = netcore_retry_outcome()
        lent.size = UInt32(MemoryLayout<netcore_retry_outcome>.size)
        lent.attempt = UInt32(clamping: outcome.attempt)
        lent.status = outcome.error?.code.rawValue ?? 0
        lent.http_status = Int32(clamping: outcome.response.status)
        lent.retry_after_ms = outcome.retryAfter?.milliseconds ?? -1
        lent.delay_ms = outcome.proposal?.milliseconds ?? -1
        lent.response = HandleTable.shared.insert(outcome.response, .response)
        defer { if lent.response != 0 { HandleTable.shared.release(lent.response, .response) } }
        var delay = UInt64.max
        switch Int(call(&lent, &delay, registration.userData)) {
        case Int(NETCORE_RETRY_VERDICT_RETRY):
            return .retry(after: delay == .max ? nil : .milliseconds(Int64(min(delay, Self.longest))))
        case Int(NETCORE_RETRY_VERDICT_STOP): return .stop
        default: return .standard
        }
    }

    private static let longest: UInt64 = 86_400_000
}

// MARK: Reading

/// A policy as numbers, arrays and texts that can be lent to C.
private final class RetryView {
    private(set) var options = netcore_retry_options()
    private let statuses: UnsafeMutableBufferPointer<Int32>
    private let methods: UnsafeMutableBufferPointer<UnsafePointer<CChar>?>
    private let texts: [UnsafeMutablePointer<CChar>]

    init(_ policy: RetryPolicy) {
        statuses = .allocate(capacity: policy.statuses.count)
        _ = statuses.initialize(from: policy.statuses.map { Int32(clamping: $0) })
        texts = policy.methods.compactMap { strdup($0) }
        methods = .allocate(capacity: texts.count)
        _ = methods.initialize(from: texts.map { UnsafePointer($0) })
        options.attempts = UInt32(clamping: policy.attempts)
        options.base_delay_ms = UInt64(clamping: policy.baseDelay.milliseconds)
        options.throttled_delay_ms = UInt64(clamping: policy.throttledDelay.milliseconds)
        options.max_delay_ms = UInt64(clamping: policy.maximumDelay.milliseconds)
        options.max_retry_after_ms = UInt64(clamping: policy.maximumRetryAfter.milliseconds)
        options.attempt_timeout_ms = UInt64(clamping: policy.attemptTimeout?.milliseconds ?? 0)
        options.statuses = UnsafePointer(statuses.baseAddress)
        options.status_count = statuses.count
        options.methods = UnsafePointer(methods.baseAddress)
        options.method_count = methods.count
        options.errors = policy.errors.isEmpty ? UInt32(NETCORE_RETRY_ERRORS_NONE) : policy.errors.rawValue
        options.idempotency_keys = policy.makesIdempotencyKeys ? 1 : 0
        setBudget(policy.budget)
    }

    private func setBudget(_ budget: RetryPolicy.Budget?) {
        guard let budget else { return options.budget_tokens = .max }
        let percent = Int((budget.perSuccess * 100).rounded())
        options.budget_tokens = UInt32(clamping: budget.tokens)
        options.budget_success_percent = percent == 0 ? .max : UInt32(clamping: percent)
        options.budget_per_second = budget.perSecond == 0 ? .max : UInt32(clamping: budget.perSecond)
    }

    deinit {
        for text in texts { free(text) }
        statuses.deallocate()
        methods.deallocate()
    }

    /// Lends a policy to this thread.
    static func lend(_ policy: RetryPolicy?, _ room: OutRoom<netcore_retry_options>?) {
        guard let room, let policy else { return }
        let view = RetryView(policy)
        LentView.ofRetries.keep(view)
        room.write(view.options)
    }
}

/// Room that may be null.
private func room(
    _ pointer: UnsafeMutablePointer<netcore_retry_options>?
) throws(NetcoreError) -> OutRoom<netcore_retry_options>? {
    guard pointer != nil else { return nil }
    return try OutRoom(pointer, "out_options")
}

@_cdecl("netcore_client_get_retries") @implementation
public func netcore_client_get_retries(
    _ client: netcore_client, _ out_enabled: UnsafeMutablePointer<Int32>!,
    _ out_options: UnsafeMutablePointer<netcore_retry_options>!
) -> netcore_status {
    out_enabled?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let room = try room(out_options)
        let policy = try Lookup.client(client).retries
        out_enabled?.pointee = policy == nil ? 0 : 1
        RetryView.lend(policy, room)
    }
}

@_cdecl("netcore_request_get_retries") @implementation
public func netcore_request_get_retries(
    _ request: netcore_request, _ out_retries: UnsafeMutablePointer<netcore_retries>!,
    _ out_options: UnsafeMutablePointer<netcore_retry_options>!
) -> netcore_status {
    out_retries?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let room = try room(out_options)
        switch try Lookup.request(request).snapshot.retries {
        case .client: out_retries?.pointee = netcore_retries(NETCORE_RETRIES_CLIENT)
        case .off: out_retries?.pointee = netcore_retries(NETCORE_RETRIES_OFF)
        case .policy(let policy):
            out_retries?.pointee = netcore_retries(NETCORE_RETRIES_OWN)
            RetryView.lend(policy, room)
        }
    }
}

extension netcore_bytes {
    /// A text with a NUL byte at its end, which is not counted.
    init(text: ContiguousArray<CChar>) {
        self = text.withUnsafeBytes { netcore_bytes(UnsafeRawBufferPointer(rebasing: $0.dropLast())) }
    }
}

extension netcore_try {
    /// Without its texts.
    init(_ from: Try) {
        self.init()
        reason = from.reason.rawValue
        status = from.error?.rawValue ?? 0
        http_status = Int32(clamping: from.status)
        delay_ms = UInt64(clamping: from.delay.milliseconds)
        retry_after_ms = from.retryAfter?.milliseconds ?? -1
        attempt = UInt32(clamping: from.attempt)
        resent_count = UInt32(clamping: from.resends)
        start_us = UInt64(clamping: from.startMicroseconds)
        duration_us = UInt64(clamping: from.microseconds)
        is_hedge = from.isHedge ? 1 : 0
    }
}

@_cdecl("netcore_response_get_try") @implementation
public func netcore_response_get_try(
    _ response: netcore_response, _ index: UInt32, _ out_try: UnsafeMutablePointer<netcore_try>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let out = try OutRoom(out_try, "out_try")
        let response = try Lookup.response(response)
        let tries = response.tries
        guard index < tries.count else {
            throw NetcoreError(.notFound, argument: "index", "the task had \(tries.count) tries")
        }
        var result = netcore_try(tries[Int(index)])
        let texts = response.texts(ofTry: Int(index))
        result.server = netcore_bytes(text: texts.server)
        result.address = netcore_bytes(text: texts.address)
        out.write(result)
    }
}
