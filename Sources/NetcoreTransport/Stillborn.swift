internal import CCurl
internal import NetcoreHTTP

/// A hop for which there was no memory: it ends in the next turn of the loop.
final class Stillborn: TransferToken {
    private var handler: (any TransferHandler)?

    init(_ handler: any TransferHandler) { self.handler = handler }

    func end() { handler?.transferDidEnd(Response(error: NetcoreError(.outOfMemory, phase: .connect))) }

    func cancel() -> Response {
        handler = nil
        return Response(error: NetcoreError(.canceled, phase: .connect))
    }
}

extension Transfer: TransferToken {
    func cancel() -> Response { transport.cancel(self) }

    var address: String? { netcore_getinfo_address(easy).map { String(cString: $0) } }

    var port: Int { netcore_getinfo_long(easy, CURLINFO_PRIMARY_PORT) }
}
