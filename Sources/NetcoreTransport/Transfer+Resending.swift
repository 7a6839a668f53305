internal import CCurl
internal import Glibc
internal import NetcoreHTTP
internal import NetcoreSupport

/// What goes out again by the transport's own decision.
extension Transfer {
    /// libcurl sends the request again: after a 401 or 417 that it answers itself, or on another connection.
    func beginAgain() {
        if head.status == 401, let fields = head.fields { handler?.transferDidReceiveChallenge(fields) }
        head.begin(limit: limits.headerBytes)
        sink = nil
        decoder = nil
        bodyUse = .delivered
        receivedBodyBytes = 0
        firstByte = .never
        needsCloseNotify = false
        isSendPaused = false
        isReceivePaused = false
        isSinkFull = false
        sendStart = nil
        transport.forgetRefusal(self)
    }

    /// Whether a hop that libcurl gave up, or took for ended, is sent again.
    func goesAgain(_ code: CURLcode) -> Bool {
        guard failure == nil, bodyUse != .streamed else { return false }
        var end = Resending.End()
        end.kind = kind(code)
        end.status = head.status
        end.hasFirstByte = firstByte != .never
        end.isOnKept = netcore_getinfo_long(easy, CURLINFO_NUM_CONNECTS) == 0
        if end.kind == .answered {
            end.hasTimedOutIdle = hasTimedOutIdle
            end.endedWithConnection = endedWithConnection
        }
        switch resending.decide(end) {
        case .no: return false
        case .again: return true
        case .againFresh:
            demandFreshConnection()
            return true
        }
    }

    private func kind(_ code: CURLcode) -> Resending.End.Kind {
        if endedStreams(code) { return .streamsEnded }
        return switch code {
        case CURLE_OK: .answered
        case CURLE_SEND_ERROR: .unsent
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: .unreadable
        default: .other
        }
    }

    /// The connection ended under a stream of HTTP/2, by a GOAWAY that leaves it out (for which libcurl 7.88 has no text) or without.
    func endedStreams(_ code: CURLcode) -> Bool {
        guard resending.wasMultiplexed, firstByte == .never else { return false }
        if code == CURLE_HTTP2 { return errorText[0] == 0 }
        return code == CURLE_PARTIAL_FILE && strstr(errorText, "end of the underlying stream") != nil
    }

    /// The server's word that it waited in vain for a request on a kept connection crossed this one: it was not carried out (RFC
    /// 9110 section 15.5.9).
    private var hasTimedOutIdle: Bool {
        guard head.status == 408, !resending.wasMultiplexed, head.closesConnection else { return false }
        if case .streamed = wire?.body { return false }
        return true
    }

    /// The body of an HTTP/2 answer that tells no length came to its end as the connection did. libcurl 7.88 ends all streams well when
    /// the peer breaks the connection, and nothing tells that from a stream that came to its end.
    var endedWithConnection: Bool {
        guard resending.wasMultiplexed, head.contentLength == nil, head.trailers == nil, bodyUse.isJudged,
            let session,
            let wire,
            hasWholeHead, HeadParser.hasBody(status: head.status, method: wire.method)
        else { return false }
        return transport.hasClosed(session)
    }

    func sendAgain() {
        if resending.connects > 0 { beginAgain() }
        resending.restart()
        _ = rewindBody(to: 0)
        hopTime = HopTime(start: transport.now, taskStart: hopTime.taskStart)
        isSendPaused = false
        resumeFailure = nil
        errorText[0] = 0
    }
}
