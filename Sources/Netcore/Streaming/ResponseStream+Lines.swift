package import NetcoreHTTP
package import NetcoreSupport

/// The lines of a body.
extension ResponseStream {
    /// The next line without its end, waiting for it until a time; nil at the end of the body. Throws `inProgress` when the time comes
    /// first, and what the task ended with. The first call for a stream says what ends its lines, and how long they may be.
    package func nextLine(until deadline: MonotonicTime, limit: Int) throws(NetcoreError) -> [UInt8]? {
        try checkLimit(limit, "largestLine")
        try lines.enter(LineParser(limit: limit))
        defer { lines.leave() }
        return try nextElement(of: lines, until: deadline)
    }

    /// The same for a consumer that suspends.
    func nextLine(_ ends: LineSplitter.Ends, limit: Int) async throws(NetcoreError) -> [UInt8]? {
        try checkLimit(limit, "largestLine")
        try lines.enter(LineParser(ends, limit: limit))
        defer { lines.leave() }
        return try await nextElement(of: lines)
    }
}
