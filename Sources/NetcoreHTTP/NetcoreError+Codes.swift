// Written by scripts/generate from include/netcore/error.h.

extension NetcoreError.Code {
    /// Success. For a task: a complete response arrived, whatever its HTTP status code.
    package static let ok = Self(rawValue: 0)
    /// 100: arguments. Nothing was done. Null, out of range, not UTF-8, or not allowed here.
    public static let invalidArgument = Self(rawValue: 100)
    /// Stale, foreign, made-up, or of the wrong kind.
    public static let invalidHandle = Self(rawValue: 101)
    /// The `size` member, or the size of an array's elements, is that of no version of the struct.
    public static let invalidStruct = Self(rawValue: 102)
    /// Not an absolute URL, or not parsable.
    public static let invalidURL = Self(rawValue: 103)
    /// Neither http nor https.
    public static let invalidScheme = Self(rawValue: 104)
    /// Not a token of RFC 9110 section 5.6.2.
    public static let invalidMethod = Self(rawValue: 105)
    /// A field name that is not a token, or a value with CR, LF or NUL.
    public static let invalidHeader = Self(rawValue: 106)
    /// No field of that name, or none at that index.
    public static let notFound = Self(rawValue: 107)
    /// A parameter of an API description is missing, unknown, twice there, or of another type (netcore/api.h);
    /// netcore_error.argument has its name.
    public static let invalidParam = Self(rawValue: 108)
    /// 200: state. Nothing was done. The object is not in a state that allows the call.
    public static let invalidState = Self(rawValue: 200)
    /// The client has been shut down or destroyed.
    public static let shutDown = Self(rawValue: 201)
    /// The handle was made before fork(), in the parent.
    public static let forked = Self(rawValue: 202)
    /// A wait ended before the task did; the task goes on.
    public static let inProgress = Self(rawValue: 203)
    /// 300: canceled. By the caller, or because the client was shut down or destroyed.
    public static let canceled = Self(rawValue: 300)
    /// A member of a group was not started, since one before it failed (netcore/group.h).
    public static let skipped = Self(rawValue: 301)
    /// 400: timeouts. Resolve, connect and TLS took longer than the connect timeout.
    public static let timeoutConnect = Self(rawValue: 400)
    /// No answer to a request that was sent.
    public static let timeoutFirstByte = Self(rawValue: 401)
    /// No byte was sent or received for too long.
    public static let timeoutIdle = Self(rawValue: 402)
    /// The task took longer than its total timeout.
    public static let timeoutTotal = Self(rawValue: 403)
    /// The body arrived more slowly than netcore_request_set_min_receive_rate() allows.
    public static let timeoutRate = Self(rawValue: 404)
    /// One attempt took longer than netcore_retry_options allows; each such attempt may be followed by another.
    public static let timeoutAttempt = Self(rawValue: 405)
    /// The host name has no address.
    public static let resolve = Self(rawValue: 500)
    /// The proxy's host name has no address.
    public static let resolveProxy = Self(rawValue: 501)
    /// 600: connect. Refused, unreachable, or closed before anything was exchanged.
    public static let connect = Self(rawValue: 600)
    /// The proxy refused, or its handshake failed.
    public static let connectProxy = Self(rawValue: 601)
    /// Reset or closed while sending or before the answer began.
    public static let connectionLost = Self(rawValue: 602)
    /// 700: TLS. The handshake failed, or the record layer broke.
    public static let tls = Self(rawValue: 700)
    /// The server's certificate is not trusted, expired, or for another name.
    public static let tlsCertificate = Self(rawValue: 701)
    /// A CA file, client certificate or key cannot be used.
    public static let tlsConfig = Self(rawValue: 702)
    /// The server broke HTTP.
    public static let `protocol` = Self(rawValue: 800)
    /// The body ended before its end.
    public static let truncated = Self(rawValue: 801)
    /// The body does not decode, or its coding is unknown.
    public static let contentCoding = Self(rawValue: 802)
    /// A redirect without a valid URL, or a body that cannot be sent again.
    public static let redirect = Self(rawValue: 803)
    /// A redirect from https to http, which is refused by default.
    public static let redirectInsecure = Self(rawValue: 804)
    /// The status code of the answer brings no file, for a download, or no events (netcore_error.native_code has it).
    public static let httpStatus = Self(rawValue: 805)
    /// A download: length or digest are not as the caller or the server said.
    public static let integrity = Self(rawValue: 806)
    /// 900: limits, see netcore_limit.
    public static let limitHeaderBytes = Self(rawValue: 900)
    /// 900: limits, see netcore_limit.
    public static let limitBodyBytes = Self(rawValue: 901)
    /// 900: limits, see netcore_limit.
    public static let limitDecodedBytes = Self(rawValue: 902)
    /// 900: limits, see netcore_limit.
    public static let limitDecodeRatio = Self(rawValue: 903)
    /// 900: limits, see netcore_limit.
    public static let limitRedirects = Self(rawValue: 904)
    /// 900: limits, see netcore_limit.
    public static let limitQueueLength = Self(rawValue: 905)
    /// A file could not be read or written.
    public static let storage = Self(rawValue: 1000)
    /// Another download writes to the same file, in this process or in another one.
    public static let fileBusy = Self(rawValue: 1001)
    /// There is a file of that name, which is not to be replaced.
    public static let fileExists = Self(rawValue: 1002)
    /// 1100: internal. A fault of netcore or of a library that it uses.
    public static let `internal` = Self(rawValue: 1100)
    /// Memory, descriptors or threads ran out.
    public static let outOfMemory = Self(rawValue: 1101)
    /// 1200: the request's body. It could not be read, or its length was not as given.
    public static let body = Self(rawValue: 1200)
    /// It has to be read again, for a redirect or another attempt, and cannot be.
    public static let bodyRewind = Self(rawValue: 1201)
    /// 1300: functions of the application. A function of the application refused the request.
    public static let refused = Self(rawValue: 1300)
    /// No stub answers the request, or a stub was not requested (netcore/stub.h).
    public static let noStub = Self(rawValue: 1301)
    /// 1400: what a request demands of the network. The network is metered, and the request does not allow that.
    public static let networkMetered = Self(rawValue: 1400)
    /// The request allows only another network.
    public static let networkInterface = Self(rawValue: 1401)
    /// The network was unreachable for as long as the request waits for it.
    public static let networkUnreachable = Self(rawValue: 1402)
    /// 1500: policies of the client. Nothing was sent. An equal request is in flight (NETCORE_DUPLICATES_DROP_NEW).
    public static let duplicate = Self(rawValue: 1500)
    /// An equal request was sent less than its minimum interval ago.
    public static let tooSoon = Self(rawValue: 1501)
    /// More requests than a rate of the client allows (netcore_client_set_rate()).
    public static let rateLimited = Self(rawValue: 1502)
    /// The queue was full, and the task was one with the lowest priority in it (NETCORE_QUEUE_OVERFLOW_DROP_LOWEST).
    public static let dropped = Self(rawValue: 1503)
    /// 1600: what spares servers that fail. The breaker of the origin is open (netcore/breaker.h).
    /// netcore_error.retry_after_ms says until when at the latest.
    public static let breakerOpen = Self(rawValue: 1600)
    /// 1700: an answer that its request does not accept (netcore/validation.h). Its status code is not accepted
    /// (netcore_error.native_code has it).
    public static let rejectedStatus = Self(rawValue: 1700)
    /// Its media type is not accepted.
    public static let rejectedContentType = Self(rawValue: 1701)
    /// Its body is not JSON of the shape that was asked for; netcore_error.argument has the place.
    public static let rejectedJSON = Self(rawValue: 1702)
    /// A function of the application rejected it; netcore_error.native_code has what it returned.
    public static let rejected = Self(rawValue: 1703)
    /// It is an error by the error table of its request (netcore/error_table.h); netcore_error.application_code has
    /// the code, netcore_error.native_code its status code.
    public static let rejectedCode = Self(rawValue: 1704)
    /// 1800: the pages of a list (netcore/pages.h). The list has no items.
    public static let noData = Self(rawValue: 1800)
    /// There is no page after the last one that was loaded, or a limit forbids to load it.
    public static let noMoreData = Self(rawValue: 1801)
    /// The server leads back to a page that was loaded before.
    public static let pageLoop = Self(rawValue: 1802)

    /// Each status and its constant in C.
    package static let names: [(code: Self, name: StaticString)] = [
        (.ok, "NETCORE_OK"),
        (.invalidArgument, "NETCORE_ERR_INVALID_ARGUMENT"),
        (.invalidHandle, "NETCORE_ERR_INVALID_HANDLE"),
        (.invalidStruct, "NETCORE_ERR_INVALID_STRUCT"),
        (.invalidURL, "NETCORE_ERR_INVALID_URL"),
        (.invalidScheme, "NETCORE_ERR_INVALID_SCHEME"),
        (.invalidMethod, "NETCORE_ERR_INVALID_METHOD"),
        (.invalidHeader, "NETCORE_ERR_INVALID_HEADER"),
        (.notFound, "NETCORE_ERR_NOT_FOUND"),
        (.invalidParam, "NETCORE_ERR_INVALID_PARAM"),
        (.invalidState, "NETCORE_ERR_INVALID_STATE"),
        (.shutDown, "NETCORE_ERR_SHUT_DOWN"),
        (.forked, "NETCORE_ERR_FORKED"),
        (.inProgress, "NETCORE_ERR_IN_PROGRESS"),
        (.canceled, "NETCORE_ERR_CANCELED"),
        (.skipped, "NETCORE_ERR_SKIPPED"),
        (.timeoutConnect, "NETCORE_ERR_TIMEOUT_CONNECT"),
        (.timeoutFirstByte, "NETCORE_ERR_TIMEOUT_FIRST_BYTE"),
        (.timeoutIdle, "NETCORE_ERR_TIMEOUT_IDLE"),
        (.timeoutTotal, "NETCORE_ERR_TIMEOUT_TOTAL"),
        (.timeoutRate, "NETCORE_ERR_TIMEOUT_RATE"),
        (.timeoutAttempt, "NETCORE_ERR_TIMEOUT_ATTEMPT"),
        (.resolve, "NETCORE_ERR_RESOLVE"),
        (.resolveProxy, "NETCORE_ERR_RESOLVE_PROXY"),
        (.connect, "NETCORE_ERR_CONNECT"),
        (.connectProxy, "NETCORE_ERR_CONNECT_PROXY"),
        (.connectionLost, "NETCORE_ERR_CONNECTION_LOST"),
        (.tls, "NETCORE_ERR_TLS"),
        (.tlsCertificate, "NETCORE_ERR_TLS_CERTIFICATE"),
        (.tlsConfig, "NETCORE_ERR_TLS_CONFIG"),
        (.protocol, "NETCORE_ERR_PROTOCOL"),
        (.truncated, "NETCORE_ERR_TRUNCATED"),
        (.contentCoding, "NETCORE_ERR_CONTENT_CODING"),
        (.redirect, "NETCORE_ERR_REDIRECT"),
        (.redirectInsecure, "NETCORE_ERR_REDIRECT_INSECURE"),
        (.httpStatus, "NETCORE_ERR_HTTP_STATUS"),
        (.integrity, "NETCORE_ERR_INTEGRITY"),
        (.limitHeaderBytes, "NETCORE_ERR_LIMIT_HEADER_BYTES"),
        (.limitBodyBytes, "NETCORE_ERR_LIMIT_BODY_BYTES"),
        (.limitDecodedBytes, "NETCORE_ERR_LIMIT_DECODED_BYTES"),
        (.limitDecodeRatio, "NETCORE_ERR_LIMIT_DECODE_RATIO"),
        (.limitRedirects, "NETCORE_ERR_LIMIT_REDIRECTS"),
        (.limitQueueLength, "NETCORE_ERR_LIMIT_QUEUE_LENGTH"),
        (.storage, "NETCORE_ERR_STORAGE"),
        (.fileBusy, "NETCORE_ERR_FILE_BUSY"),
        (.fileExists, "NETCORE_ERR_FILE_EXISTS"),
        (.internal, "NETCORE_ERR_INTERNAL"),
        (.outOfMemory, "NETCORE_ERR_OUT_OF_MEMORY"),
        (.body, "NETCORE_ERR_BODY"),
        (.bodyRewind, "NETCORE_ERR_BODY_REWIND"),
        (.refused, "NETCORE_ERR_REFUSED"),
        (.noStub, "NETCORE_ERR_NO_STUB"),
        (.networkMetered, "NETCORE_ERR_NETWORK_METERED"),
        (.networkInterface, "NETCORE_ERR_NETWORK_INTERFACE"),
        (.networkUnreachable, "NETCORE_ERR_NETWORK_UNREACHABLE"),
        (.duplicate, "NETCORE_ERR_DUPLICATE"),
        (.tooSoon, "NETCORE_ERR_TOO_SOON"),
        (.rateLimited, "NETCORE_ERR_RATE_LIMITED"),
        (.dropped, "NETCORE_ERR_DROPPED"),
        (.breakerOpen, "NETCORE_ERR_BREAKER_OPEN"),
        (.rejectedStatus, "NETCORE_ERR_REJECTED_STATUS"),
        (.rejectedContentType, "NETCORE_ERR_REJECTED_CONTENT_TYPE"),
        (.rejectedJSON, "NETCORE_ERR_REJECTED_JSON"),
        (.rejected, "NETCORE_ERR_REJECTED"),
        (.rejectedCode, "NETCORE_ERR_REJECTED_CODE"),
        (.noData, "NETCORE_ERR_NO_DATA"),
        (.noMoreData, "NETCORE_ERR_NO_MORE_DATA"),
        (.pageLoop, "NETCORE_ERR_PAGE_LOOP"),
    ]
}
