internal import NetcoreSupport

/// Storing, removing and evicting, within a transaction.
extension Writer {
    /// A key keeps this many variants; the one that was used longest ago makes room.
    static let mostVariants = 64

    func store(_ record: StoredRecord, _ body: PreparedBody, _ limits: DiskLimits) throws(SQLiteError) {
        let group = try group(of: record.key)
        let old = group.first { $0.record.key == record.key && $0.record.variant.isSame(as: record.variant) }
        if let old, !old.record.yields(to: record) {
            if let file = body.reference.file { outcome.dropped.append(file) }
            return
        }
        if let old { try delete(old.place) }
        var row = EntryRow(id: 0, record: record, body: body)
        guard row.size <= limits.bytes, let id = try place(in: group, key: record.key, replacing: old?.id) else {
            if let file = body.reference.file { outcome.dropped.append(file) }
            return
        }
        row.id = id
        row.used = outcome.totals.tick()
        try write(row)
        guard body.reference.file == nil, !body.reference.isInRow else { return }
        statements.insertBody.bind(1, id)
        statements.insertBody.bind(2, lending: body.bytes.bytes)
        try statements.insertBody.run()
    }

    /// A free number among those of the key.
    private func place(in group: [EntryRow], key: StoreKey, replacing old: Int64?) throws(SQLiteError) -> Int64? {
        if let old { return old }
        if group.count >= Self.mostVariants, let oldest = group.min(by: { $0.used < $1.used }) {
            try delete(oldest.place)
            return oldest.id
        }
        let taken = Set(group.map(\.id))
        return key.rows.first { !taken.contains($0) }
    }

    /// Writes a row and counts it.
    func write(_ row: EntryRow) throws(SQLiteError) {
        let insert = statements.insert
        let record = row.record
        insert.bind(
            row.id, row.sum, Int64(bitPattern: record.identity), record.order, record.storedAt.wall,
            record.storedAt.uptime, Int64(bitPattern: record.storedAt.boot), record.freshUntil, row.size, row.used,
            row.hits, row.body.sum, row.body.size, row.body.storedSize, row.body.coding)
        let texts = [record.key.text, record.variant, record.url, record.tag, record.scope, row.body.file]
        for (index, text) in texts.enumerated() { insert.bind(Int32(16 + index), text) }
        insert.bind(22, lending: record.head.bytes)
        if row.body.isInRow { insert.bind(23, lending: row.data.bytes) }
        insert.bind(24, Int64(bitPattern: record.url.stableHash))
        try insert.run()
        outcome.totals.add(row.size)
    }

    /// Writes and counts a row of which only the head changed, and what belongs to it.
    func updateHead(_ row: EntryRow) throws(SQLiteError) {
        let record = row.record
        statements.updateHead.bind(
            row.id, row.sum, record.order, record.storedAt.wall, record.storedAt.uptime,
            Int64(bitPattern: record.storedAt.boot), record.freshUntil, row.size)
        statements.updateHead.bind(9, lending: record.head.bytes)
        try statements.updateHead.run()
        outcome.totals.add(row.size)
    }

    func delete(_ row: RowPlace) throws(SQLiteError) {
        statements.delete.bind(row.id)
        try statements.delete.run()
        if let file = row.file { outcome.dropped.append(file) } else { try deleteBody(row.id) }
        outcome.totals.remove(row.size)
    }

    /// Removes a row that may lie about where its body is: in the table, or in a file.
    func deleteDamaged(_ row: RowPlace) throws(SQLiteError) {
        try delete(row)
        try deleteBody(row.id)
    }

    private func deleteBody(_ id: Int64) throws(SQLiteError) {
        statements.deleteBody.bind(id)
        try statements.deleteBody.run()
    }

    /// Removes a damaged row, unless another one has taken its place.
    func discard(_ id: Int64, _ sum: Int64) throws(SQLiteError) {
        let select = statements.damaged
        select.bind(id, sum)
        guard try select.step() else { return }
        let row = RowPlace(select)
        select.reset()
        try deleteDamaged(row)
    }

    /// Evicts what was used longest ago until the limits are kept.
    func evict(_ limits: DiskLimits) throws(SQLiteError) {
        while outcome.totals.count > limits.count || outcome.totals.bytes > limits.bytes {
            var oldest: [RowPlace] = []
            while try statements.oldest.step() { oldest.append(RowPlace(statements.oldest)) }
            guard !oldest.isEmpty else {
                outcome.totals.count = 0
                outcome.totals.bytes = 0
                return
            }
            for row in oldest
            where outcome.totals.count > limits.count || outcome.totals.bytes > limits.bytes {
                try delete(row)
                outcome.evictions += 1
            }
        }
    }
}
