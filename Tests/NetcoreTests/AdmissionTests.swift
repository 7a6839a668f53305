@testable import Netcore
import NetcoreTransport
import Testing

@Suite struct AdmissionTests {
    private final class Item: AdmissionItem {
        let name: Int
        var isInLine = false
        var hasGivenUp = false
        let priority: Priority

        init(_ name: Int, _ priority: Priority = .default) {
            self.name = name
            self.priority = priority
        }
    }

    /// The state machine by reference, so that expectations may move it on.
    private final class Machine {
        var state: Admission<Item>
        init(_ state: Admission<Item>) { self.state = state }
        func admit(_ item: Item, to host: Host, isFirst: Bool = false) -> Bool {
            state.admit(item, to: host, isFirst: isFirst)
        }
        func next() -> Item? { state.next() }
    }

    private func make(_ transfers: Int, _ perHost: Int) -> Machine {
        Machine(Admission(transfers: transfers, transfersPerHost: perHost))
    }

    @Test("slots are bounded in all and for each host, and freed ones go to those who wait, in order")
    func bounds() {
        let admission = make(3, 2)
        let (a, b) = (Host(origin: "a"), Host(origin: "b"))
        let items = (0..<6).map { Item($0) }
        #expect(admission.admit(items[0], to: a))
        #expect(admission.admit(items[1], to: a))
        #expect(!admission.admit(items[2], to: a))
        #expect(!admission.admit(items[3], to: a))
        #expect(admission.admit(items[4], to: b))
        #expect(!admission.admit(items[5], to: b))
        #expect(admission.next() == nil)
        admission.state.release(a)
        #expect(admission.next()?.name == 2)
        #expect(admission.next() == nil)
        admission.state.release(b)
        #expect(admission.next()?.name == 5)
        admission.state.release(a)
        #expect(admission.next()?.name == 3)
    }

    @Test("higher priorities go first, whatever the host; one whose host is full holds up no other")
    func priorities() {
        let admission = make(2, 1)
        let (a, b) = (Host(origin: "a"), Host(origin: "b"))
        #expect(admission.admit(Item(0), to: a))
        #expect(admission.admit(Item(1), to: b))
        let leaving = Item(9, .high)
        for (item, host) in [
            (Item(2, .low), a), (Item(3), a), (Item(4, .high), a), (Item(5, .low), b), (Item(6), b), (leaving, b),
        ] { #expect(!admission.admit(item, to: host)) }
        admission.state.forget(leaving, of: b)
        admission.state.release(b)
        #expect(admission.next()?.name == 6)
        #expect(admission.next() == nil)
        for (host, name) in [(a, 4), (b, 5), (a, 3), (a, 2)] {
            admission.state.release(host)
            #expect(admission.next()?.name == name)
            #expect(admission.next() == nil)
        }
    }

    @Test("hosts take turns")
    func turns() {
        let admission = make(1, 1)
        let hosts = [Host(origin: "a"), Host(origin: "b"), Host(origin: "c")]
        let busy = Host(origin: "busy")
        #expect(admission.admit(Item(-1), to: busy))
        for index in 0..<9 { #expect(!admission.admit(Item(index), to: hosts[index / 3])) }
        var order: [Int] = []
        var last = busy
        while true {
            admission.state.release(last)
            guard let item = admission.next() else { break }
            order.append(item.name)
            last = hosts[item.name / 3]
        }
        #expect(order == [0, 3, 6, 1, 4, 7, 2, 5, 8])
    }

    @Test("a task that had a slot before goes to the head of the line")
    func first() {
        let admission = make(1, 1)
        let host = Host(origin: "a")
        #expect(admission.admit(Item(0), to: host))
        #expect(!admission.admit(Item(1), to: host))
        #expect(!admission.admit(Item(2), to: host, isFirst: true))
        admission.state.release(host)
        #expect(admission.next()?.name == 2)
    }

    @Test("those that left are passed over, and do not hold up who comes later")
    func forgotten() {
        let admission = make(1, 1)
        let host = Host(origin: "a")
        #expect(admission.admit(Item(0), to: host))
        let leaving = (1...200).map { Item($0) }
        for item in leaving { #expect(!admission.admit(item, to: host)) }
        let staying = Item(1000)
        #expect(!admission.admit(staying, to: host))
        for item in leaving {
            admission.state.forget(item, of: host)
        }
        admission.state.release(host)
        #expect(admission.next() === staying)
        admission.state.release(host)
        #expect(admission.admit(Item(2000), to: host))
    }

    @Test("one that gave up is passed over, and leaving afterwards takes no other along")
    func givenUp() {
        let admission = make(1, 1)
        let host = Host(origin: "a")
        let items = (0..<4).map { Item($0) }
        #expect(admission.admit(items[0], to: host))
        #expect(!admission.admit(items[1], to: host))
        items[1].hasGivenUp = true
        admission.state.release(host)
        #expect(admission.next() == nil)
        #expect(admission.admit(items[2], to: host))
        #expect(!admission.admit(items[3], to: host))
        admission.state.forget(items[1], of: host)
        admission.state.release(host)
        #expect(admission.next() === items[3])
    }

    @Test("new limits let more through")
    func limits() {
        let admission = make(1, 1)
        let host = Host(origin: "a")
        #expect(admission.admit(Item(0), to: host))
        #expect(!admission.admit(Item(1), to: host))
        admission.state.transfers = 2
        #expect(admission.next() == nil)
        admission.state.transfersPerHost = 2
        #expect(admission.next()?.name == 1)
    }
}

@Suite struct FIFOTests {
    @Test("elements come out in order, through growth, prepending and removal")
    func order() {
        var queue = FIFO<Int>()
        var expected: [Int] = []
        for value in 0..<5000 {
            queue.append(value)
            expected.append(value)
            if value % 3 == 0 {
                let popped = queue.popFirst()
                let first = expected.removeFirst()
                #expect(popped == first)
            }
        }
        queue.prepend(-1)
        expected.insert(-1, at: 0)
        queue.removeAll { $0 % 2 == 1 }
        expected.removeAll { $0 % 2 == 1 }
        #expect(queue.count == expected.count)
        var rest: [Int] = []
        while let value = queue.popFirst() { rest.append(value) }
        #expect(rest == expected)
    }
}
