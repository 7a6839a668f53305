package import NetcoreHTTP

/// Decides which members of a group start and when, and which are not wanted any more. The rules are values of a module above this
/// one; a group asks its own under its lock. Members are numbers, from 0 on in the order of adding.
package protocol GroupOrder: Sendable {
    /// Whether members may be added now, while the group runs.
    var isOpenWhileRunning: Bool { get }

    /// Whether a member counts as ended only when its terminal callback has returned.
    var waitsForCallbacks: Bool { get }

    var rule: RequestGroup.Rule { get }

    /// Takes in the next member.
    mutating func add()

    /// A member starts only when another one has succeeded.
    mutating func add(_ member: Int, after other: Int) throws(NetcoreError)

    /// The group is dispatched.
    mutating func begin() -> GroupActions

    /// A member has ended, once.
    mutating func end(_ member: Int, _ end: MemberEnd) -> GroupActions

    /// No member starts any more.
    mutating func stop()
}

extension RequestGroup {
    /// What the end of one member means for the others. Whichever it is, a member that waits for another one is skipped if that
    /// does not succeed.
    public enum Rule: Int32, Sendable, CaseIterable {
        /// Nothing: each goes on to its own end.
        case allSettled = 0
        /// The first that fails cancels the rest.
        case allOrNothing = 1
        /// The first that succeeds cancels the rest, and the group has succeeded.
        case any = 2
        /// One after the other, in the order of adding; the first that fails ends the group, and the rest is skipped. Members may
        /// be added until the last one has ended and its callback has returned.
        case chain = 3
    }
}

/// How a member ended, as far as others depend on it.
package enum MemberEnd: Sendable {
    case succeeded
    /// In whichever way but that.
    case failed
}

/// What a group does next.
package struct GroupActions: Sendable, Equatable {
    /// These members start.
    package var starts: [Int] = []
    /// These end as skipped.
    package var skips: [Int] = []
    /// Whatever has not ended is canceled.
    package var cancelsRest = false

    package init() {}
}

/// How a member of a group ended.
public struct MemberResult: Sendable {
    /// The number of its task.
    public let taskID: UInt64
    /// Why it did not succeed; nil if it did.
    public let failure: NetcoreError.Code?
    /// Its response; nil for a group, for an application task that sent nothing, and where responses are not kept.
    public let response: Response?
    /// For the C door.
    package let userData: UInt

    /// The response.
    ///
    /// - Throws: ``NetcoreError`` why the member did not succeed, or `notFound` if it has no response.
    public func get() throws(NetcoreError) -> Response {
        if let failure { throw response?.failure ?? NetcoreError(failure) }
        guard let response else { throw NetcoreError(.notFound, argument: "member", "has no response") }
        return response
    }
}
