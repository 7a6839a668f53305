public import CNetcore
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

extension netcore_client_event {
    init(_ event: ClientEvent) {
        self.init()
        size = UInt32(MemoryLayout<netcore_client_event>.size)
        kind = event.kind.rawValue
        time_ns = UInt64(clamping: event.time)
        number = event.number
        task = event.taskID
        attempt = UInt32(clamping: event.attempt)
        hop = UInt32(clamping: event.hop)
        status = Int32(clamping: event.status)
        error = event.error?.rawValue ?? 0
        // -1, which is not known, is the largest number.
        value = UInt64(bitPattern: Int64(event.value))
        detail = UInt64(bitPattern: Int64(event.detail))
        if let peer = event.peer {
            withUnsafeMutableBytes(of: &peer_address) { $0.storeBytes(of: peer.bytes, as: PeerAddress.Bytes.self) }
            peer_port = UInt32(clamping: peer.port)
        }
        http_version = event.version?.rawValue ?? 0
    }
}

private struct ObserverFunction: @unchecked Sendable {  // a function pointer, and a pointer that is handed back
    let call: netcore_observer_fn
    let registration: Registration
}

@_cdecl("netcore_client_add_observer") @implementation
public func netcore_client_add_observer(
    _ client: netcore_client, _ fn: netcore_observer_fn!, _ user_data: UnsafeMutableRawPointer!,
    _ release: netcore_release_fn!, _ out_observer: UnsafeMutablePointer<netcore_observer>!
) -> netcore_status {
    out_observer?.pointee = 0
    return uncancelable { () throws(NetcoreError) in
        let out = try Argument.notNull(out_observer, "out_observer")
        let fn = try Argument.notNull(fn, "fn")
        let client = try Lookup.client(client)
        try registering(user_data, release) { (registration) throws(NetcoreError) in
            let function = ObserverFunction(call: fn, registration: registration)
            let observer = try client.observe { event in
                var given = netcore_client_event(event)
                function.call(&given, function.registration.userData)
            }
            out.pointee = try handle(of: observer)
        }
    }
}

@_cdecl("netcore_request_add_observer") @implementation
public func netcore_request_add_observer(
    _ request: netcore_request, _ fn: netcore_observer_fn!, _ user_data: UnsafeMutableRawPointer!,
    _ release: netcore_release_fn!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        let fn = try Argument.notNull(fn, "fn")
        try registering(user_data, release) { registration in
            let function = ObserverFunction(call: fn, registration: registration)
            request.observe { event in
                var given = netcore_client_event(event)
                function.call(&given, function.registration.userData)
            }
        }
    }
}

@_cdecl("netcore_observer_create") @implementation
public func netcore_observer_create(
    _ client: netcore_client, _ capacity: UInt32, _ out_observer: UnsafeMutablePointer<netcore_observer>!
) -> netcore_status {
    out_observer?.pointee = 0
    return uncancelable { () throws(NetcoreError) in
        let out = try Argument.notNull(out_observer, "out_observer")
        let client = try Lookup.client(client)
        guard capacity <= 1 << 20 else {
            throw NetcoreError(.invalidArgument, argument: "capacity", "must be at most 1048576")
        }
        let size = capacity == 0 ? EventObserver.standardCapacity : Int(capacity)
        out.pointee = try handle(of: client.makeObserver(capacity: size))
    }
}

private func handle(of observer: EventObserver) throws(NetcoreError) -> netcore_observer {
    do throws(NetcoreError) {
        return try Lookup.insert(observer, .observer)
    } catch {
        observer.cancel()
        throw error
    }
}

@_cdecl("netcore_observer_read") @implementation
public func netcore_observer_read(
    _ observer: netcore_observer, _ events: UnsafeMutablePointer<netcore_client_event>!, _ capacity: UInt32,
    _ event_size_bytes: Int, _ out_count: UnsafeMutablePointer<UInt32>!,
    _ out_dropped_count: UnsafeMutablePointer<UInt64>!
) -> netcore_status {
    out_count?.pointee = 0
    out_dropped_count?.pointee = 0
    return uncancelable { () throws(NetcoreError) in
        let out = try Argument.notNull(out_count, "out_count")
        let observer = try Lookup.observer(observer)
        try Argument.checkCount(Int(capacity), "capacity")
        let room = try OutRoom(array: events, elementSize: event_size_bytes, "events", "event_size_bytes")
        let count = try observer.take(maximum: Int(capacity)) { room.write(netcore_client_event($1), at: $0) }
        if let out_dropped_count { out_dropped_count.pointee = UInt64(observer.takeDropped()) }
        guard let count else {
            throw NetcoreError(.shutDown, argument: "observer", "its client has ended")
        }
        out.pointee = UInt32(count)
    }
}

@_cdecl("netcore_observer_get_descriptor") @implementation
public func netcore_observer_get_descriptor(
    _ observer: netcore_observer, _ out_descriptor: UnsafeMutablePointer<Int32>!
) -> netcore_status {
    out_descriptor?.pointee = -1
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_descriptor, "out_descriptor")
        out.pointee = try Lookup.observer(observer).descriptor()
    }
}

@_cdecl("netcore_observer_destroy") @implementation
public func netcore_observer_destroy(_ observer: netcore_observer) -> netcore_status {
    boundary { () throws(NetcoreError) in
        guard let released = HandleTable.shared.release(observer, .observer) else {
            throw Lookup.missing(observer, .observer, "observer")
        }
        unsafeDowncast(released, to: EventObserver.self).cancel()
    }
}
