@testable import Netcore
import NetcoreTransport
import Testing

@Suite struct AdmissionTests {
    private final class Item: LineItem {
        let name: Int
        var ticket = LineTicket()
        var hasGivenUp = false
        var priority: Priority

        init(_ name: Int, _ priority: Priority = .default) {
            self.name = name
            self.priority = priority
        }
    }

    /// The state machine by reference, so that expectations may move it on.
    private final class Machine {
        var state: Admission<Item>
        /// In microseconds.
        var now = 0
        init(_ state: Admission<Item>) { self.state = state }
        func admit(_ item: Item, to host: Host, since time: Int? = nil, isFirst: Bool = false) -> Bool {
            state.admit(item, to: host, since: time ?? now, isFirst: isFirst)
        }
        func next() -> Item? { state.next(now: now) }
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

    @Test("one that waits goes among those of its new priority, by when it came")
    func change() {
        let admission = make(1, 1)
        let host = Host(origin: "a")
        #expect(admission.admit(Item(0), to: host))
        let items = [Item(1), Item(2, .low), Item(3), Item(4, .high)]
        for (time, item) in items.enumerated() { #expect(!admission.admit(item, to: host, since: time)) }
        admission.state.change(items[1], of: host, since: 1) { items[1].priority = .default }
        admission.state.change(items[2], of: host, since: 2) { items[2].priority = .high }
        var order: [Int] = []
        while true {
            admission.state.release(host)
            guard let item = admission.next() else { break }
            order.append(item.name)
        }
        #expect(order == [3, 4, 1, 2])
    }

    @Test("what has waited for long gets one slot of four, and holds up no more of what is urgent")
    func due() {
        let admission = make(1, 1)
        let host = Host(origin: "a")
        #expect(admission.admit(Item(-1), to: host))
        for index in 0..<100 { #expect(!admission.admit(Item(index), to: host)) }
        admission.now = PriorityLine<Item>.aging + 1
        for index in 100..<106 { #expect(!admission.admit(Item(index, .high), to: host)) }
        var order: [Int] = []
        for _ in 0..<8 {
            admission.state.release(host)
            if let item = admission.next() { order.append(item.name) }
        }
        #expect(order == [100, 101, 102, 0, 103, 104, 105, 1])
    }

    @Test("a host whose requests are due takes turns with one of urgent requests")
    func dueHosts() {
        let admission = make(1, 1)
        let (bulk, urgent) = (Host(origin: "bulk"), Host(origin: "urgent"))
        #expect(admission.admit(Item(-1), to: urgent))
        for index in 0..<3 { #expect(!admission.admit(Item(index, .low), to: bulk)) }
        for index in 100..<109 { #expect(!admission.admit(Item(index, .high), to: urgent)) }
        var order: [Int] = []
        var last = urgent
        for step in 0..<6 {
            if step == 2 { admission.now = 2 * PriorityLine<Item>.aging }
            admission.state.release(last)
            guard let item = admission.next() else { break }
            order.append(item.name)
            last = item.name < 100 ? bulk : urgent
        }
        #expect(order == [100, 101, 0, 102, 1, 103])
    }

    /// What one random load does to a request of the lowest priority, at a client that is busy with urgent ones all the time.
    private struct Load {
        let hosts = (0..<4).map { Host(origin: "\($0)") }
        let admission: Machine
        var running: [Host] = []
        private var random = SystemRandomNumberGenerator()

        init(_ admission: Machine) { self.admission = admission }

        mutating func arrive() throws {
            admission.now += Int.random(in: 0...PriorityLine<Item>.aging / 50, using: &random)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let host = try #require(hosts.randomElement(using: &random))
                let priority = try #require(Priority.allCases.randomElement(using: &random))
                let isFirst = Bool.random(using: &random)
                let since = isFirst ? admission.now - Int.random(in: 0...1_000_000, using: &random) : admission.now
                let item = Item(hosts.firstIndex { $0 === host } ?? 0, Bool.random(using: &random) ? .high : priority)
                if admission.admit(item, to: host, since: since, isFirst: isFirst) { running.append(host) }
            }
        }

        /// One transfer ends. Returns those that go then.
        mutating func end() -> [Item] {
            guard let index = running.indices.randomElement(using: &random) else { return [] }
            admission.state.release(running.remove(at: index))
            var gone: [Item] = []
            while let item = admission.next() {
                gone.append(item)
                running.append(hosts[item.name])
            }
            return gone
        }
    }

    @Test("none waits for ever, whatever comes: once it is due, so many go before it as its share says")
    func aging() throws {
        for _ in 0..<20 {
            var load = Load(make(3, 2))
            for _ in 0..<20 { try load.arrive() }
            let item = Item(0, .low)
            try #require(!load.admission.admit(item, to: load.hosts[0]))
            let due = load.admission.now + 2 * PriorityLine<Item>.aging
            var before = 0
            var isGone = false
            // Those that are due earlier at its host are at most those that came in the time until then.
            var ahead = 0
            while !isGone {
                try load.arrive()
                let gone = load.end()
                isGone = gone.contains { $0 === item }
                if load.admission.now < due {
                    ahead += 4
                } else {
                    before += gone.count
                }
                try #require(before <= load.hosts.count * PriorityLine<Item>.share * (ahead + 80))
            }
        }
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
    @Test("an element goes behind those that go before it, in the middle, at the head and at the end")
    func insert() {
        var queue = FIFO<Int>()
        var expected: [Int] = []
        for step in 0..<400 {
            let value = step * 7919 % 100
            queue.insert(value) { $0 <= value }
            expected.append(value)
            expected.sort()
            if step % 3 == 0 {
                #expect(queue.popFirst() == expected.removeFirst())
            }
        }
        while let value = queue.popFirst() { #expect(value == expected.removeFirst()) }
        #expect(expected.isEmpty)
    }

    @Test("elements come out in order, through growth and removal")
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
        queue.removeAll { $0 % 2 == 1 }
        expected.removeAll { $0 % 2 == 1 }
        #expect(queue.count == expected.count)
        var rest: [Int] = []
        while let value = queue.popFirst() { rest.append(value) }
        #expect(rest == expected)
    }
}
