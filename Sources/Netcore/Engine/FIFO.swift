/// A first-in, first-out queue.
struct FIFO<Element> {
    private var elements: ContiguousArray<Element?> = []
    private var head = 0

    init() {}

    var count: Int { elements.count - head }
    var isEmpty: Bool { head == elements.count }
    var first: Element? { isEmpty ? nil : elements[head] }

    mutating func append(_ element: Element) { elements.append(element) }

    /// Puts an element behind those that go before it: at the end, or where the elements are in such an order.
    mutating func insert(_ element: Element, behind goesBefore: (Element) -> Bool) {
        guard !isEmpty, let last = elements[elements.count - 1], !goesBefore(last) else { return append(element) }
        var (low, high) = (head, elements.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if elements[middle].map(goesBefore) ?? true { low = middle + 1 } else { high = middle }
        }
        if low == head, head > 0 {
            head -= 1
            elements[head] = element
        } else {
            elements.insert(element, at: low)
        }
    }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head].take()
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: elements.capacity <= 1024)
            head = 0
        } else if head > 1024, head > elements.count / 2 {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    mutating func removeAll(where shouldRemove: (Element) -> Bool) {
        elements = ContiguousArray(elements[head...].filter { $0.map { !shouldRemove($0) } ?? false })
        head = 0
    }
}
