/// Something that has a place in a ``Registry``, kept up by it.
protocol Registered: AnyObject {
    /// -1 while it is in none.
    var registryIndex: Int { get set }
}

/// A set of objects, each of which knows its place.
struct Registry<Member: Registered> {
    private(set) var members: ContiguousArray<Member> = []

    var isEmpty: Bool { members.isEmpty }

    mutating func add(_ member: Member) {
        member.registryIndex = members.count
        members.append(member)
    }

    /// Takes a member out, if it is in.
    mutating func remove(_ member: Member) {
        let index = member.registryIndex
        guard index >= 0 else { return }
        member.registryIndex = -1
        let last = members.removeLast()
        guard last !== member else { return }
        members[index] = last
        last.registryIndex = index
    }
}

extension RequestTask: Registered {}
extension RequestGroup: Registered {}
