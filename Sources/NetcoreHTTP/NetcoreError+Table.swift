extension NetcoreError.Code {
    /// What a status is called, says and lets a retry do.
    package struct Row: Sendable {
        package let code: NetcoreError.Code
        package let name: StaticString
        package let message: StaticString
        package let isRetryable: Bool
    }

    /// One row for each status of the header.
    package static let table: [Row] = names.map { code, name in
        let text = texts.first { $0.code == code }
        return Row(
            code: code, name: name, message: text?.message ?? unknownRow.message, isRetryable: text?.retry ?? false)
    }

    private static let texts: [(code: NetcoreError.Code, message: StaticString, retry: Bool)] = [
        (.ok, "success", retry: false),
        (.invalidArgument, "an argument is null, out of range or not allowed here", retry: false),
        (.invalidHandle, "the handle has ended, never was, or is of another kind", retry: false),
        (.invalidStruct, "the size member of a struct does not fit", retry: false),
        (.invalidURL, "the URL cannot be parsed", retry: false),
        (.invalidScheme, "the scheme is neither http nor https", retry: false),
        (.invalidMethod, "the method is not a token", retry: false),
        (.invalidHeader, "the header field is not valid", retry: false),
        (.notFound, "there is no such field", retry: false),
        (.invalidParam, "a parameter of an API is missing, unknown or of another type", retry: false),
        (.invalidState, "the object is not in a state that allows the call", retry: false),
        (.shutDown, "the client has been shut down", retry: false),
        (.forked, "the handle belongs to the parent of a fork", retry: false),
        (.inProgress, "the wait ended before the task did", retry: false),
        (.canceled, "the task was canceled", retry: false),
        (.skipped, "a member of the group before it failed", retry: false),
        (.timeoutConnect, "connecting took too long", retry: true),
        (.timeoutFirstByte, "the answer did not begin in time", retry: true),
        (.timeoutIdle, "the transfer stood still for too long", retry: true),
        (.timeoutTotal, "the transfer took too long", retry: true),
        (.timeoutRate, "the answer came too slowly", retry: true),
        (.timeoutAttempt, "one attempt took too long", retry: true),
        (.resolve, "the host name has no address", retry: true),
        (.resolveProxy, "the proxy's host name has no address", retry: true),
        (.connect, "the connection was refused or the host is unreachable", retry: true),
        (.connectProxy, "the proxy refused the connection", retry: true),
        (.connectionLost, "the connection was lost before an answer", retry: true),
        (.tls, "the TLS handshake failed", retry: true),
        (.tlsCertificate, "the server's certificate is not trusted", retry: false),
        (.tlsConfig, "a TLS file cannot be used", retry: false),
        (.protocol, "the server broke HTTP", retry: false),
        (.truncated, "the answer ended before its end", retry: true),
        (.contentCoding, "the body does not decode", retry: false),
        (.redirect, "the redirect cannot be followed", retry: false),
        (.redirectInsecure, "a redirect from https to http is refused", retry: false),
        (.httpStatus, "the status code of the answer brings no file", retry: false),
        (.integrity, "the length or digest of the file is not the expected one", retry: false),
        (.limitHeaderBytes, "the header section is too large", retry: false),
        (.limitBodyBytes, "the body is too large", retry: false),
        (.limitDecodedBytes, "the decoded body is too large", retry: false),
        (.limitDecodeRatio, "the body decodes to too many times its size", retry: false),
        (.limitRedirects, "too many redirects", retry: false),
        (.limitQueueLength, "the queue is full", retry: true),
        (.storage, "a file could not be read or written", retry: false),
        (.fileBusy, "another download writes to the file", retry: true),
        (.fileExists, "there is a file of that name", retry: false),
        (.internal, "a fault of netcore or of a library under it", retry: false),
        (.outOfMemory, "memory, descriptors or threads ran out", retry: true),
        (.body, "the request's body could not be read, or had another length than was said", retry: false),
        (.bodyRewind, "the request's body would have to be read again, and cannot be", retry: false),
        (.refused, "a function of the application's refused the request", retry: false),
        (.noStub, "no stub answers the request, or a stub was not requested", retry: false),
        (.networkMetered, "the network is metered, which the request does not allow", retry: false),
        (.networkInterface, "the network is another one than the request allows", retry: false),
        (.networkUnreachable, "the network was unreachable for too long", retry: true),
        (.breakerOpen, "the server fails, and is spared for a while", retry: true),
        (.duplicate, "an equal request is in flight", retry: true),
        (.rateLimited, "more requests than a rate of the client allows", retry: true),
        (.dropped, "the queue was full, and the task had the lowest priority in it", retry: true),
        (.rejectedStatus, "the status code of the answer is not accepted", retry: false),
        (.rejectedContentType, "the media type of the answer is not accepted", retry: false),
        (.rejectedJSON, "the body of the answer is not JSON of the shape that was asked for", retry: false),
        (.rejected, "a function of the application's rejected the answer", retry: false),
        (.rejectedCode, "the answer says that something failed", retry: false),
        (.noData, "the list has no items", retry: false),
        (.noMoreData, "there is no page after the last one", retry: false),
        (.pageLoop, "the server leads back to a page that was loaded before", retry: false),
        (.tooSoon, "an equal request was sent a moment ago", retry: true),
    ]

    /// For a status of the application's own.
    package static let applicationRow = Row(
        code: Self(rawValue: 2000), name: "NETCORE_STATUS_APPLICATION", message: "a status of the application's own",
        isRetryable: false)

    /// For a value that is no status.
    package static let unknownRow = Row(
        code: Self(rawValue: -1), name: "NETCORE_ERR_UNKNOWN", message: "no status of this version",
        isRetryable: false)

    package var row: Row {
        if Self.ofApplication.contains(rawValue) { return Self.applicationRow }
        return Self.table.first { $0.code == self } ?? Self.unknownRow
    }

    package var isKnown: Bool { Self.ofApplication.contains(rawValue) || Self.table.contains { $0.code == self } }

    /// As the constant is written in C: "NETCORE_ERR_TIMEOUT_IDLE".
    public var name: String { row.name.description }

    /// One sentence without a full stop.
    public var summary: String { row.message.description }

    package var isRetryable: Bool { row.isRetryable }
}
