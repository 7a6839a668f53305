public import CNetcore
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

@_cdecl("netcore_client_create") @implementation
public func netcore_client_create(
    _ options: UnsafePointer<netcore_client_options>!, _ out_client: UnsafeMutablePointer<netcore_client>!
) -> netcore_status {
    out_client?.pointee = 0
    return uncancelable { () throws(NetcoreError) in
        try Fork.afterFirstUse(of: .client) { _ throws(NetcoreError) in
            let out = try Argument.notNull(out_client, "out_client")
            let client = try Client(withinFirstUse: options == nil ? Client.Options() : ClientOptions.read(options))
            out.pointee = try Lookup.insert(client, .client)
        }
    }
}

@_cdecl("netcore_client_destroy") @implementation
public func netcore_client_destroy(_ client: netcore_client) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        guard let object = HandleTable.shared.release(client, .client) else {
            throw Lookup.missing(client, .client, "client")
        }
        unsafeDowncast(object, to: Client.self).destroy()
    }
}

@_cdecl("netcore_client_shutdown") @implementation
public func netcore_client_shutdown(_ client: netcore_client) -> netcore_status {
    uncancelable { () throws(NetcoreError) in try Lookup.client(client).shutDown() }
}

@_cdecl("netcore_client_set_limit") @implementation
public func netcore_client_set_limit(
    _ client: netcore_client, _ limit: netcore_limit, _ value: UInt64
) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        let path = try LimitNames.clientPath(limit)
        let value = Int(clamping: value)
        try ClientLimits.check(value, path, "value")
        try client.setLimits { $0[keyPath: path] = value }
    }
}

@_cdecl("netcore_client_set_queue_overflow") @implementation
public func netcore_client_set_queue_overflow(
    _ client: netcore_client, _ overflow: netcore_queue_overflow
) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        guard let overflow = QueueOverflow(rawValue: overflow) else {
            throw NetcoreError(.invalidArgument, argument: "overflow", "not a netcore_queue_overflow value")
        }
        try client.setLimits { $0.queueOverflow = overflow }
    }
}

@_cdecl("netcore_client_get_queue_overflow") @implementation
public func netcore_client_get_queue_overflow(
    _ client: netcore_client, _ out_overflow: UnsafeMutablePointer<netcore_queue_overflow>!
) -> netcore_status {
    out_overflow?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_overflow, "out_overflow")
        out.pointee = try Lookup.client(client).limits.queueOverflow.rawValue
    }
}

@_cdecl("netcore_client_get_descriptor") @implementation
public func netcore_client_get_descriptor(
    _ client: netcore_client, _ out_descriptor: UnsafeMutablePointer<Int32>!
) -> netcore_status {
    out_descriptor?.pointee = -1
    return uncancelable { () throws(NetcoreError) in
        let out = try Argument.notNull(out_descriptor, "out_descriptor")
        guard let descriptor = try Lookup.client(client).descriptor else {
            throw NetcoreError(.invalidState, argument: "client", "is in callback mode, which has no descriptor")
        }
        out.pointee = descriptor
    }
}

@_cdecl("netcore_client_process") @implementation
public func netcore_client_process(
    _ client: netcore_client, _ max_count: UInt32, _ out_count: UnsafeMutablePointer<UInt32>!
) -> netcore_status {
    out_count?.pointee = 0
    return uncancelable { () throws(NetcoreError) in
        let count = try Lookup.client(client).process(maximum: max_count == 0 ? .max : Int(max_count))
        out_count?.pointee = UInt32(clamping: count)
    }
}

@_cdecl("netcore_client_wait") @implementation
public func netcore_client_wait(
    _ client: netcore_client, _ out_completions: UnsafeMutablePointer<netcore_completion>!, _ capacity: UInt32,
    _ completion_size: Int, _ timeout_ms: UInt64, _ out_count: UnsafeMutablePointer<UInt32>!
) -> netcore_status {
    out_count?.pointee = 0
    return uncancelable { () throws(NetcoreError) in
        let out = try OutRoom(
            array: out_completions, elementSize: completion_size, "out_completions", "completion_size")
        let outCount = try Argument.notNull(out_count, "out_count")
        guard capacity >= 1 else { throw NetcoreError(.invalidArgument, argument: "capacity", "must be at least 1") }
        let engine = try Lookup.client(client).engine
        guard engine.options.completions.isTaken else {
            throw NetcoreError(.invalidState, argument: "client", "not in queue mode")
        }
        guard let taken = try engine.take(maximum: Int(capacity), until: deadline(timeout_ms)) else {
            throw Intake.shutDownError
        }
        for (index, delivery) in taken.enumerated() { out.write(Completion.taken(delivery), at: index) }
        outCount.pointee = UInt32(taken.count)
    }
}

private func cancelAll(
    _ client: netcore_client, _ tag: String?, _ outCount: UnsafeMutablePointer<UInt32>?
) throws(NetcoreError) {
    let count = try Lookup.client(client).cancelAll(tag: tag)
    outCount?.pointee = UInt32(clamping: count)
}

@_cdecl("netcore_client_cancel_all") @implementation
public func netcore_client_cancel_all(
    _ client: netcore_client, _ out_count: UnsafeMutablePointer<UInt32>!
) -> netcore_status {
    out_count?.pointee = 0
    return uncancelable { () throws(NetcoreError) in try cancelAll(client, nil, out_count) }
}

@_cdecl("netcore_client_cancel_tag") @implementation
public func netcore_client_cancel_tag(
    _ client: netcore_client, _ tag: UnsafePointer<CChar>!, _ out_count: UnsafeMutablePointer<UInt32>!
) -> netcore_status {
    out_count?.pointee = 0
    return uncancelable { () throws(NetcoreError) in try cancelAll(client, Argument.text(tag, "tag"), out_count) }
}
