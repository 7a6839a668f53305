package import NetcoreSupport

/// The head of a stored answer: what a cache keeps beside the body (RFC 9111 section 3).
package struct StoredHead: Sendable {
    package var status: Int
    package var version: HTTPVersion?
    /// The fields as stored: none that belong to one connection.
    package var fields: FieldBlock
    /// When the request that brought the answer, or that validated it last, was sent, and when its answer came
    /// (RFC 9111 section 4.2.3).
    package var requestTime: Timestamp
    package var responseTime: Timestamp

    package init(
        status: Int, version: HTTPVersion?, fields: FieldBlock, requestTime: Timestamp, responseTime: Timestamp
    ) {
        self.status = status
        self.version = version
        self.fields = fields
        self.requestTime = requestTime
        self.responseTime = responseTime
    }
}
