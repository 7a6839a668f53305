/// What happened to a disk store that its user may want to know. None of it is an error of a request.
package enum StoreEvent: Sendable, Equatable {
    /// The database could not be used and was renamed to `path`; a fresh one began.
    case setAside(path: String, reason: String)
    /// Nothing is stored for now; what is there is still read, where possible.
    case storingStopped(reason: String)
    /// Storing works again.
    case storingResumed
    /// An entry's bytes were not those that were stored. It was removed.
    case damagedEntry(url: String)
}
