internal import CNetcore
internal import NetcoreHTTP

/// A struct of the C API that grows at its end from version to version. Unless it is an element of an array it begins with its
/// size; an array comes with the size of its elements.
protocol GrowingStruct {
    init()

    /// The sizes that it had in earlier versions, and has no more.
    static var earlierSizes: [Int] { get }
}

extension GrowingStruct {
    static var earlierSizes: [Int] { [] }

    /// The size of a version whose last member was this one.
    fileprivate static func size<Member>(to last: KeyPath<Self, Member>) -> Int {
        let end = (MemoryLayout<Self>.offset(of: last) ?? 0) + MemoryLayout<Member>.size
        let alignment = MemoryLayout<Self>.alignment
        return (end + alignment - 1) / alignment * alignment
    }

    /// Whether a caller's struct of this size is of this version, an earlier or a later one. Of none if it is not a whole number of
    /// the struct's alignment, which each sizeof is: of an array with such elements every second would be read at a wrong place.
    fileprivate static func check(_ size: Int, _ name: StaticString) throws(NetcoreError) {
        let isLater =
            size >= MemoryLayout<Self>.size && size <= largestStruct && size % MemoryLayout<Self>.alignment == 0
        guard isLater || earlierSizes.contains(size) else {
            throw NetcoreError(.invalidStruct, argument: "\(name)", "the size \(size) is that of no version")
        }
    }

    /// Reads a caller's struct. Members that it lacks are zero; members that this version lacks must be.
    static func read(_ pointer: UnsafePointer<Self>, _ name: StaticString) throws(NetcoreError) -> Self {
        let start = UnsafeRawPointer(pointer)
        return try read(start, size: Int(start.loadUnaligned(as: UInt32.self)), name)
    }

    fileprivate static func read(
        _ start: UnsafeRawPointer, size: Int, _ name: StaticString
    ) throws(NetcoreError) -> Self {
        try check(size, name)
        let known = MemoryLayout<Self>.size
        var value = Self()
        withUnsafeMutableBytes(of: &value) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: start, count: min(size, known)))
        }
        guard size <= known || UnsafeRawBufferPointer(start: start + known, count: size - known).allSatisfy({ $0 == 0 })
        else {
            throw NetcoreError(
                .invalidStruct, argument: "\(name)",
                "a member beyond the \(known) bytes that this version knows is not zero")
        }
        return value
    }

    /// Reads each element of an array of structs.
    ///
    /// - Parameters:
    ///   - count: of the elements, and its name.
    ///   - size: of one element as the caller knows it, and its name.
    static func readArray<Result>(
        _ pointer: UnsafePointer<Self>?, _ count: (Int, StaticString), _ size: (Int, StaticString),
        _ name: StaticString,
        _ element: (Self) throws(NetcoreError) -> Result
    ) throws(NetcoreError) -> [Result] {
        let (count, countName) = count
        let (size, sizeName) = size
        guard count != 0 else { return [] }
        try Argument.checkCount(count, countName)
        try check(size, sizeName)
        let start = UnsafeRawPointer(try Argument.notNull(pointer, name))
        var result: [Result] = []
        for index in 0..<count { result.append(try element(read(start + index * size, size: size, name))) }
        return result
    }
}

/// Sizes beyond this are of no version of a struct.
private let largestStruct = 4096

/// Room for structs in the caller's memory, each as large as the caller knows it: for one, or an array.
struct OutRoom<Value: GrowingStruct> {
    private let start: UnsafeMutableRawPointer
    private let size: Int

    /// Room for one struct, which says its size; all of it but that is zeroed.
    init(_ pointer: UnsafeMutablePointer<Value>?, _ name: StaticString) throws(NetcoreError) {
        start = UnsafeMutableRawPointer(try Argument.notNull(pointer, name))
        size = Int(start.loadUnaligned(as: UInt32.self))
        try Value.check(size, name)
        let header = MemoryLayout<UInt32>.size
        UnsafeMutableRawBufferPointer(start: start + header, count: size - header).initializeMemory(
            as: UInt8.self, repeating: 0)
    }

    /// Room for an array; nothing of it is changed.
    ///
    /// - Parameter size: of one element, as the caller knows it.
    init(
        array pointer: UnsafeMutablePointer<Value>?, elementSize size: Int, _ name: StaticString,
        _ sizeName: StaticString
    ) throws(NetcoreError) {
        start = UnsafeMutableRawPointer(try Argument.notNull(pointer, name))
        self.size = size
        try Value.check(size, sizeName)
    }

    /// Writes what the caller's version of the struct has room for, with its size, and zeroes what is beyond this version.
    func write(_ value: Value, at index: Int = 0) {
        let place = start + index * size
        let known = min(size, MemoryLayout<Value>.size)
        withUnsafeBytes(of: value) {
            UnsafeMutableRawBufferPointer(start: place, count: known).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: $0[..<known]))
        }
        place.storeBytes(of: UInt32(size), as: UInt32.self)
        UnsafeMutableRawBufferPointer(start: place + known, count: size - known).initializeMemory(
            as: UInt8.self, repeating: 0)
    }
}

// Every struct of the headers that may grow. Who adds members to one that a release had, adds its size in that release.

extension netcore_client_options: GrowingStruct { static let earlierSizes = [size(to: \.user_agent)] }
extension netcore_response_info: GrowingStruct { static let earlierSizes = [size(to: \.bytes_received)] }
extension netcore_task_info: GrowingStruct { static let earlierSizes = [size(to: \.sent_bytes)] }
extension netcore_pinned_keys: GrowingStruct {}
extension netcore_network: GrowingStruct {}
extension netcore_completion: GrowingStruct {}
extension netcore_cache_options: GrowingStruct {}
extension netcore_cache_rule: GrowingStruct {}
extension netcore_cache_statistics: GrowingStruct {}
extension netcore_cookie: GrowingStruct {}
extension netcore_reader: GrowingStruct {}
extension netcore_part_header: GrowingStruct {}
extension netcore_part_options: GrowingStruct {}
extension netcore_request_info: GrowingStruct {
    static let earlierSizes = [size(to: \.body), size(to: \.idempotent), size(to: \.duplicates)]
}
extension netcore_part_info: GrowingStruct {}
extension netcore_error: GrowingStruct {
    static let earlierSizes = [size(to: \.is_retryable), size(to: \.argument)]
}
extension netcore_error_row: GrowingStruct {}
extension netcore_api_param: GrowingStruct {}
extension netcore_group_info: GrowingStruct {}
extension netcore_group_options: GrowingStruct {}
extension netcore_retry_options: GrowingStruct {}
extension netcore_hedge_options: GrowingStruct {}
extension netcore_try: GrowingStruct {}
extension netcore_min_interval: GrowingStruct {}
extension netcore_rate: GrowingStruct {}
extension netcore_breaker_options: GrowingStruct {}
extension netcore_breaker_info: GrowingStruct {}
extension netcore_failover_options: GrowingStruct {}
extension netcore_client_statistics: GrowingStruct {}
extension netcore_budget_info: GrowingStruct {}
extension netcore_client_event: GrowingStruct {}
extension netcore_hop_info: GrowingStruct {}
extension netcore_download_options: GrowingStruct {}
extension netcore_download_info: GrowingStruct {}
extension netcore_server_event: GrowingStruct {}
extension netcore_event_source_options: GrowingStruct {}
extension netcore_event_source_info: GrowingStruct {}
extension netcore_download_progress: GrowingStruct {}
extension netcore_stub: GrowingStruct {}
extension netcore_stub_answer: GrowingStruct {}
extension netcore_cassette_options: GrowingStruct {}
extension netcore_cassette_info: GrowingStruct {}
extension netcore_page_options: GrowingStruct {}
extension netcore_page_info: GrowingStruct {}
extension netcore_clock_options: GrowingStruct {}
extension netcore_callbacks: GrowingStruct {}
extension netcore_cache_value_options: GrowingStruct {}
