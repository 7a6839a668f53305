internal import CNetcore
internal import Glibc
internal import Netcore
internal import NetcoreAPI
internal import NetcoreHTTP
internal import NetcoreSupport

/// Runs the body of an export: whatever it throws becomes a status, and the thread's last error message.
@inline(__always)
func boundary(_ body: () throws(NetcoreError) -> Void) -> netcore_status {
    do throws(NetcoreError) {
        try body()
        return 0
    } catch {
        LastError.set(error)
        return error.code.rawValue
    }
}

/// The same for an export that waits or makes system calls: no point in it is one at which pthread_cancel() ends the thread,
/// with locks held and objects kept for ever.
@inline(__always)
func uncancelable(_ body: () throws(NetcoreError) -> Void) -> netcore_status {
    var before: Int32 = 0
    pthread_setcancelstate(Int32(PTHREAD_CANCEL_DISABLE), &before)
    defer { pthread_setcancelstate(before, nil) }
    return boundary(body)
}

/// Strings that live as long as the process.
struct StaticText: @unchecked Sendable {  // never written after init
    let pointer: UnsafePointer<CChar>

    init(_ text: String) {
        pointer = UnsafePointer(strdup(text) ?? strdup("") ?? UnsafeMutablePointer.allocate(capacity: 1))
    }
}

/// Checks of arguments: each names the argument it refuses.
enum Argument {
    private static let largestBody = 1 << 40

    /// A copy of a body.
    static func body(_ data: UnsafeRawPointer?, _ size: Int) throws(NetcoreError) -> ByteBuffer {
        // A size_t arrives as a signed number: one beyond its range is negative.
        guard size >= 0, size <= largestBody else {
            throw NetcoreError(.invalidArgument, argument: "size_bytes", "must be at most 2^40")
        }
        guard size > 0 else { return ByteBuffer() }
        let bytes = UnsafeRawBufferPointer(start: try notNull(data, "data"), count: size)
        guard let copy = ByteBuffer(copying: bytes) else {
            throw NetcoreError(.outOfMemory, argument: "data", "out of memory for a copy of \(size) bytes")
        }
        return copy
    }

    static func text(_ pointer: UnsafePointer<CChar>?, _ name: StaticString) throws(NetcoreError) -> String {
        guard let pointer else { throw NetcoreError(.invalidArgument, argument: "\(name)", "must not be null") }
        guard let text = String(validatingCString: pointer) else {
            throw NetcoreError(.invalidArgument, argument: "\(name)", "must be UTF-8")
        }
        return text
    }

    static func optionalText(_ pointer: UnsafePointer<CChar>?, _ name: StaticString) throws(NetcoreError) -> String? {
        guard let pointer else { return nil }
        return try text(pointer, name)
    }

    /// A text that may not be empty.
    static func name(_ pointer: UnsafePointer<CChar>?, _ name: StaticString) throws(NetcoreError) -> String {
        let text = try text(pointer, name)
        guard !text.isEmpty else { throw NetcoreError(.invalidArgument, argument: "\(name)", "must not be empty") }
        return text
    }

    static func bytes(_ pointer: UnsafePointer<CChar>?, _ name: StaticString) throws(NetcoreError) -> [UInt8] {
        guard let pointer else { throw NetcoreError(.invalidArgument, argument: "\(name)", "must not be null") }
        return Array(UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))
    }

    static func notNull<Pointer>(_ pointer: Pointer?, _ name: StaticString) throws(NetcoreError) -> Pointer {
        guard let pointer else { throw NetcoreError(.invalidArgument, argument: "\(name)", "must not be null") }
        return pointer
    }

    /// No array of the application's has more elements than this.
    private static let mostElements = 1 << 16

    static func checkCount(_ count: Int, _ name: StaticString) throws(NetcoreError) {
        guard count > 0, count <= mostElements else {
            throw NetcoreError(.invalidArgument, argument: "\(name)", "must be at most \(mostElements)")
        }
    }

    /// Reads each element of an array of numbers or pointers; null will do for none.
    static func array<Element, Result>(
        _ pointer: UnsafePointer<Element>?, _ count: Int, _ name: StaticString, _ countName: StaticString,
        _ read: (Element) throws(NetcoreError) -> Result
    ) throws(NetcoreError) -> [Result] {
        guard count != 0 else { return [] }
        try checkCount(count, countName)
        let pointer = try notNull(pointer, name)
        var result: [Result] = []
        for index in 0..<count { result.append(try read(pointer[index])) }
        return result
    }

    static func flag(_ value: Int32, _ name: StaticString) throws(NetcoreError) -> Bool {
        guard value == 0 || value == 1 else {
            throw NetcoreError(.invalidArgument, argument: "\(name)", "must be 0 or 1")
        }
        return value == 1
    }
}

/// Texts that calls write into the caller's room, cut where it is too small.
enum TextOut {
    /// - Parameter size: becomes that of the whole text, without the NUL byte.
    static func write(
        _ bytes: some Collection<UInt8>, _ text: UnsafeMutablePointer<CChar>?, _ capacity: Int,
        _ size: UnsafeMutablePointer<Int>
    ) throws(NetcoreError) {
        // A size_t from 2^63 on arrives as negative.
        let capacity = capacity < 0 ? Int.max : capacity
        if capacity > 0 {
            let text = try Argument.notNull(text, "text")
            var end = text
            for byte in bytes.prefix(capacity - 1) {
                end.pointee = CChar(bitPattern: byte)
                end += 1
            }
            end.pointee = 0
        }
        size.pointee = bytes.count
    }
}

/// The objects behind handles.
enum Lookup {
    static func client(_ handle: netcore_client) throws(NetcoreError) -> Client {
        guard let object = HandleTable.shared.object(handle, .client) else { throw missing(handle, .client, "client") }
        return unsafeDowncast(object, to: Client.self)
    }

    static func request(
        _ handle: netcore_request, _ name: StaticString = "request"
    ) throws(NetcoreError) -> RequestBox {
        guard let object = HandleTable.shared.object(handle, .request) else { throw missing(handle, .request, name) }
        return unsafeDowncast(object, to: RequestBox.self)
    }

    static func task(_ handle: netcore_task, _ name: StaticString = "task") throws(NetcoreError) -> RequestTask {
        guard let object = HandleTable.shared.object(handle, .task) else { throw missing(handle, .task, name) }
        let task = unsafeDowncast(object, to: RequestTask.self)
        guard task.isRegistered else { throw missing(handle, .task, name) }
        return task
    }

    static func group(
        _ handle: netcore_group, _ name: StaticString = "group"
    ) throws(NetcoreError) -> RequestGroup {
        guard let object = HandleTable.shared.object(handle, .group) else { throw missing(handle, .group, name) }
        return unsafeDowncast(object, to: RequestGroup.self)
    }

    static func response(_ handle: netcore_response) throws(NetcoreError) -> Response {
        guard let object = HandleTable.shared.object(handle, .response) else {
            throw missing(handle, .response, "response")
        }
        let response = unsafeDowncast(object, to: Response.self)
        return response.draft == nil ? response : ResponseDraft.current(response)
    }

    static func cache(_ handle: netcore_cache) throws(NetcoreError) -> Cache {
        guard let object = HandleTable.shared.object(handle, .cache) else { throw missing(handle, .cache, "cache") }
        return unsafeDowncast(object, to: Cache.self)
    }

    static func hop(_ handle: netcore_hop) throws(NetcoreError) -> TransportHop {
        guard let object = HandleTable.shared.object(handle, .hop) else { throw missing(handle, .hop, "hop") }
        return unsafeDowncast(object, to: TransportHop.self)
    }

    static func eventSource(_ handle: netcore_event_source) throws(NetcoreError) -> EventSource {
        guard let object = HandleTable.shared.object(handle, .eventSource) else {
            throw missing(handle, .eventSource, "source")
        }
        return unsafeDowncast(object, to: EventSource.self)
    }

    static func observer(_ handle: netcore_observer) throws(NetcoreError) -> EventObserver {
        guard let object = HandleTable.shared.object(handle, .observer) else {
            throw missing(handle, .observer, "observer")
        }
        return unsafeDowncast(object, to: EventObserver.self)
    }

    static func stubs(_ handle: netcore_stubs) throws(NetcoreError) -> StubTable {
        guard let object = HandleTable.shared.object(handle, .stubs) else { throw missing(handle, .stubs, "stubs") }
        return unsafeDowncast(object, to: StubTable.self)
    }

    static func taskScope(_ handle: netcore_task_scope) throws(NetcoreError) -> TaskScope {
        guard let object = HandleTable.shared.object(handle, .taskScope) else {
            throw missing(handle, .taskScope, "scope")
        }
        return unsafeDowncast(object, to: TaskScope.self)
    }

    static func cassette(_ handle: netcore_cassette) throws(NetcoreError) -> Cassette {
        guard let object = HandleTable.shared.object(handle, .cassette) else {
            throw missing(handle, .cassette, "cassette")
        }
        return unsafeDowncast(object, to: Cassette.self)
    }

    static func pages(_ handle: netcore_pages) throws(NetcoreError) -> Pages {
        guard let object = HandleTable.shared.object(handle, .pages) else { throw missing(handle, .pages, "pages") }
        return unsafeDowncast(object, to: Pages.self)
    }

    static func clock(_ handle: netcore_clock, _ name: StaticString = "clock") throws(NetcoreError) -> ManualClock {
        guard let object = HandleTable.shared.object(handle, .clock) else { throw missing(handle, .clock, name) }
        return unsafeDowncast(object, to: ManualClock.self)
    }

    static func module(_ handle: netcore_module) throws(NetcoreError) -> APIModule {
        guard let object = HandleTable.shared.object(handle, .module) else { throw missing(handle, .module, "module") }
        return unsafeDowncast(object, to: APIModule.self)
    }

    static func api(_ handle: netcore_api) throws(NetcoreError) -> APIBox {
        guard let object = HandleTable.shared.object(handle, .api) else { throw missing(handle, .api, "api") }
        return unsafeDowncast(object, to: APIBox.self)
    }

    static func missing(_ handle: UInt64, _ kind: HandleKind, _ name: StaticString) -> NetcoreError {
        guard !HandleTable.shared.isForked(handle, kind) else {
            return NetcoreError(.forked, argument: "\(name)", "the handle was made before fork(), in the parent")
        }
        return NetcoreError(
            .invalidHandle, argument: "\(name)", "the handle has ended, never was, or is of another kind")
    }

    static func insert(_ object: AnyObject, _ kind: HandleKind) throws(NetcoreError) -> UInt64 {
        let handle = HandleTable.shared.insert(object, kind)
        guard handle != 0 else { throw NetcoreError(.outOfMemory, "there are too many handles") }
        return handle
    }
}
