public import NetcoreHTTP

extension TransportHop {
    /// Gives an answer that takes its time or fails, as a stub says. By the clock of the client.
    ///
    /// - Throws: as ``answer(_:_:body:)``.
    public func answer(_ answer: StubAnswer) throws(NetcoreError) {
        try self.answer(answer) { .random(in: 0..<1) }
    }

    /// - Parameter random: gives numbers of [0, 1).
    func answer(_ answer: StubAnswer, _ random: () -> Double) throws(NetcoreError) {
        let hasBody = !isHead && answer.status != 204 && answer.status != 304
        var played = try answer.played(hasBody: hasBody, random)
        if hasBody, answer.body.count > min(limits.bodyBytes, limits.decodedBytes) {
            played.pieces = []
            played.ending = .failure(
                NetcoreError(.limitBodyBytes, "the body is larger than the limit", phase: .receive))
        }
        try play(played)
    }
}
