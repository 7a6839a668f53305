extension NetcoreError.Code {
    /// One row for each status: the one list of names, messages and what a retry may do.
    package struct Row: Sendable {
        package let code: NetcoreError.Code
        package let name: StaticString
        package let message: StaticString
        package let isRetryable: Bool
    }

    package static let table: [Row] = [
        row(.ok, "NETCORE_OK", "success"),
        row(.invalidArgument, "NETCORE_ERR_INVALID_ARGUMENT", "an argument is null, out of range or not allowed here"),
        row(.invalidHandle, "NETCORE_ERR_INVALID_HANDLE", "the handle has ended, never was, or is of another kind"),
        row(.invalidStruct, "NETCORE_ERR_INVALID_STRUCT", "the size member of a struct does not fit"),
        row(.invalidURL, "NETCORE_ERR_INVALID_URL", "the URL cannot be parsed"),
        row(.invalidScheme, "NETCORE_ERR_INVALID_SCHEME", "the scheme is neither http nor https"),
        row(.invalidMethod, "NETCORE_ERR_INVALID_METHOD", "the method is not a token"),
        row(.invalidHeader, "NETCORE_ERR_INVALID_HEADER", "the header field is not valid"),
        row(.notFound, "NETCORE_ERR_NOT_FOUND", "there is no such field"),
        row(.invalidState, "NETCORE_ERR_INVALID_STATE", "the object is not in a state that allows the call"),
        row(.shutDown, "NETCORE_ERR_SHUT_DOWN", "the client has been shut down"),
        row(.forked, "NETCORE_ERR_FORKED", "the handle belongs to the parent of a fork"),
        row(.inProgress, "NETCORE_ERR_IN_PROGRESS", "the wait ended before the task did"),
        row(.canceled, "NETCORE_ERR_CANCELED", "the task was canceled"),
        row(.timeoutConnect, "NETCORE_ERR_TIMEOUT_CONNECT", "connecting took too long", retry: true),
        row(.timeoutFirstByte, "NETCORE_ERR_TIMEOUT_FIRST_BYTE", "the answer did not begin in time", retry: true),
        row(.timeoutIdle, "NETCORE_ERR_TIMEOUT_IDLE", "the transfer stood still for too long", retry: true),
        row(.timeoutTotal, "NETCORE_ERR_TIMEOUT_TOTAL", "the transfer took too long", retry: true),
        row(.resolve, "NETCORE_ERR_RESOLVE", "the host name has no address", retry: true),
        row(.resolveProxy, "NETCORE_ERR_RESOLVE_PROXY", "the proxy's host name has no address", retry: true),
        row(.connect, "NETCORE_ERR_CONNECT", "the connection was refused or the host is unreachable", retry: true),
        row(.connectProxy, "NETCORE_ERR_CONNECT_PROXY", "the proxy refused the connection", retry: true),
        row(.connectionLost, "NETCORE_ERR_CONNECTION_LOST", "the connection was lost before an answer", retry: true),
        row(.tls, "NETCORE_ERR_TLS", "the TLS handshake failed", retry: true),
        row(.tlsCertificate, "NETCORE_ERR_TLS_CERTIFICATE", "the server's certificate is not trusted"),
        row(.tlsConfig, "NETCORE_ERR_TLS_CONFIG", "a TLS file cannot be used"),
        row(.protocol, "NETCORE_ERR_PROTOCOL", "the server broke HTTP"),
        row(.truncated, "NETCORE_ERR_TRUNCATED", "the answer ended before its end", retry: true),
        row(.contentCoding, "NETCORE_ERR_CONTENT_CODING", "the body does not decode"),
        row(.redirect, "NETCORE_ERR_REDIRECT", "the redirect cannot be followed"),
        row(.redirectInsecure, "NETCORE_ERR_REDIRECT_INSECURE", "a redirect from https to http is refused"),
        row(.limitHeaderBytes, "NETCORE_ERR_LIMIT_HEADER_BYTES", "the header section is too large"),
        row(.limitBodyBytes, "NETCORE_ERR_LIMIT_BODY_BYTES", "the body is too large"),
        row(.limitDecodedBytes, "NETCORE_ERR_LIMIT_DECODED_BYTES", "the decoded body is too large"),
        row(.limitDecodeRatio, "NETCORE_ERR_LIMIT_DECODE_RATIO", "the body decodes to too many times its size"),
        row(.limitRedirects, "NETCORE_ERR_LIMIT_REDIRECTS", "too many redirects"),
        row(.limitQueueLength, "NETCORE_ERR_LIMIT_QUEUE_LENGTH", "the queue is full", retry: true),
        row(.storage, "NETCORE_ERR_STORAGE", "a file could not be read or written"),
        row(.internal, "NETCORE_ERR_INTERNAL", "a fault of netcore or of a library under it"),
        row(.outOfMemory, "NETCORE_ERR_OUT_OF_MEMORY", "memory, descriptors or threads ran out", retry: true),
        row(.body, "NETCORE_ERR_BODY", "the request's body could not be read, or had another length than was said"),
        row(.bodyRewind, "NETCORE_ERR_BODY_REWIND", "the request's body would have to be read again, and cannot be"),
        row(.refused, "NETCORE_ERR_REFUSED", "a function of the host's refused the request"),
        row(.networkMetered, "NETCORE_ERR_NETWORK_METERED", "the network is metered, which the request does not allow"),
        row(.networkInterface, "NETCORE_ERR_NETWORK_INTERFACE", "the network is another one than the request allows"),
    ]

    /// For a status of the application's own.
    package static let hostRow = row(.init(rawValue: 2000), "NETCORE_STATUS_HOST", "a status of the application's own")

    /// For a value that is no status.
    package static let unknownRow = row(.init(rawValue: -1), "NETCORE_ERR_UNKNOWN", "no status of this version")

    private static func row(
        _ code: NetcoreError.Code, _ name: StaticString, _ message: StaticString, retry: Bool = false
    ) -> Row {
        Row(code: code, name: name, message: message, isRetryable: retry)
    }

    package var row: Row {
        if Self.ofHost.contains(rawValue) { return Self.hostRow }
        return Self.table.first { $0.code == self } ?? Self.unknownRow
    }

    package var isKnown: Bool { Self.ofHost.contains(rawValue) || Self.table.contains { $0.code == self } }

    /// As the constant is written in C: "NETCORE_ERR_TIMEOUT_IDLE".
    public var name: String { row.name.description }

    /// One sentence without a full stop.
    public var summary: String { row.message.description }

    package var isRetryable: Bool { row.isRetryable }
}
