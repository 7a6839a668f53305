public import NetcoreHTTP

/// A filter of answers. Its identity tells it from others.
package final class ResponseFilter: Sendable {
    package typealias Call = @Sendable (inout FilterResponse) throws -> Void

    let call: Call

    init(_ call: @escaping Call) { self.call = call }
}

/// Filters of answers, in the order in which they run.
package final class ResponseFilters: Sendable {
    let network: [ResponseFilter]
    let delivery: [ResponseFilter]

    init(network: [ResponseFilter] = [], delivery: [ResponseFilter] = []) {
        self.network = network
        self.delivery = delivery
    }

    func adding(_ kind: ResponseFilterKind, _ filter: @escaping ResponseFilter.Call) -> ResponseFilters {
        let added = [ResponseFilter(filter)]
        return followed(
            by: kind == .network ? ResponseFilters(network: added) : ResponseFilters(delivery: added))
    }

    /// These, and then others.
    func followed(by others: ResponseFilters) -> ResponseFilters {
        ResponseFilters(network: network + others.network, delivery: delivery + others.delivery)
    }

    /// Both, where there are any; the second ones run last.
    static func joined(_ first: ResponseFilters?, _ second: ResponseFilters?) -> ResponseFilters? {
        guard let first, let second else { return first ?? second }
        return first.followed(by: second)
    }
}

extension RequestOptions {
    /// Whether answers from the network are filtered before they are stored.
    var filtersNetwork: Bool { !(responseFilters?.network.isEmpty ?? true) }

    /// Whether answers are filtered before they are delivered, those of a cache, too.
    var filtersDelivery: Bool { !isStreamed && !(responseFilters?.delivery.isEmpty ?? true) }
}

extension Client {
    /// Reads and changes an answer: its fields, its body, with which tags it is stored. It may throw, which refuses the answer: a
    /// ``NetcoreError`` is what the task ends with, any other error becomes ``NetcoreError/Code/refused``.
    public typealias ResponseFilter = @Sendable (inout FilterResponse) throws -> Void

    /// Adds a filter of answers after those already there, for requests that are dispatched from then on, except bare ones
    /// (``Request/isBare``). Those of the client run first, then those of a module, then those of the request.
    ///
    /// Filters of the kind ``ResponseFilterKind/network`` run for a whole answer that came from the network, before it is judged
    /// (``Request/acceptedStatuses``) and stored. They do not see redirects that are followed, a 304 that confirms what is stored, and parts
    /// (206), which are then not stored. Retries see the status as it came. Filters of the kind ``ResponseFilterKind/delivery`` run for each
    /// answer that its request accepts, from the network or a cache, before its task ends; tasks that joined another one's transfer have
    /// their own. Neither kind runs for streamed responses, downloads, event sources, provisional answers, and ``cachedResponse(_:)``.
    ///
    /// They run one at a time where filters of requests do (``addFilter(_:)``), under the same rules; their time counts to the total timeout. The
    /// status code cannot be changed: redirects, retries and credentials have gone by it.
    public func addResponseFilter(
        _ kind: ResponseFilterKind, _ filter: @escaping ResponseFilter
    ) throws(NetcoreError) {
        try change { settings in
            settings.responseFilters = (settings.responseFilters ?? ResponseFilters()).adding(kind, filter)
        }
    }

    /// Removes the client's filters of answers.
    public func removeResponseFilters() throws(NetcoreError) { try change { $0.responseFilters = nil } }
}

extension Request {
    /// Adds a filter of this request's answers, which runs after those of the client (``Client/addResponseFilter(_:_:)``); in a bare request,
    /// too.
    ///
    /// What a cache stores of the answer is what filters of the kind ``ResponseFilterKind/network`` made of it, and serves other requests to the
    /// same URL as well: these should have the same filters, or another ``CacheOptions/key``.
    public mutating func addResponseFilter(_ kind: ResponseFilterKind, _ filter: @escaping Client.ResponseFilter) {
        options.responseFilters = (options.responseFilters ?? ResponseFilters()).adding(kind, filter)
    }
}
