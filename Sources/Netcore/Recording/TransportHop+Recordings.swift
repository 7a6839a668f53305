internal import NetcoreHTTP
internal import NetcoreSupport

extension TransportHop {
    /// Gives the answer of a recording.
    ///
    /// - Parameter skipsPauses: whether its pieces come at once.
    func answer(replaying recording: Recording, skipsPauses: Bool) throws(NetcoreError) {
        var played = PlayedAnswer()
        switch recording.ending {
        case .whole: break
        case .open: played.ending = .silence
        case .failure(let code, let message):
            let phase = recording.status == 0 ? NetcoreError.Phase.wait : .receive
            played.ending = .failure(NetcoreError(code, message, phase: phase))
        }
        if recording.status != 0 { try setAnswer(of: &played, recording, skipsPauses) }
        try play(played)
    }

    private func setAnswer(
        of played: inout PlayedAnswer, _ recording: Recording, _ skipsPauses: Bool
    ) throws(NetcoreError) {
        played.status = recording.status
        let block = FieldBlock()
        for (name, value) in recording.fields where value != SecretNames.mark {
            try TransportHop.add(name, Array(value.utf8), to: block)
        }
        played.fields = block
        guard !isHead, recording.status != 204, recording.status != 304, !recording.body.isEmpty else { return }
        guard let body = recording.body.withUnsafeBytes({ ByteBuffer(copying: $0) }) else {
            throw NetcoreError(.outOfMemory)
        }
        guard body.count <= min(limits.bodyBytes, limits.decodedBytes) else {
            played.ending = .failure(
                NetcoreError(.limitBodyBytes, "the body is larger than the limit", phase: .receive))
            return
        }
        played.body = body
        played.length = body.count
        var left = body.count
        for piece in recording.pieces where left > 0 && piece.count > 0 {
            let count = min(piece.count, left)
            played.pieces.append(PlayedAnswer.Piece(wait: skipsPauses ? 0 : piece.wait, count: count))
            left -= count
        }
        if left > 0 { played.pieces.append(PlayedAnswer.Piece(wait: 0, count: left)) }
    }
}
