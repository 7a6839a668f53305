internal import CSQLite
internal import NetcoreSupport

/// A prepared statement, used again and again by one thread at a time.
final class SQLiteStatement {
    private let connection: SQLiteConnection
    private let handle: OpaquePointer
    private var sqlite: SQLite { connection.sqlite }

    init(_ connection: SQLiteConnection, _ sql: String) throws(SQLiteError) {
        var statement: OpaquePointer?
        let code = connection.sqlite.prepare_v3(
            connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw connection.error(code) }
        self.connection = connection
        handle = statement
    }

    deinit {
        guard connection.isOwn else { return }
        _ = sqlite.finalize(handle)
    }

    /// Binds numbers to the parameters from the first one on.
    func bind(_ values: Int64...) {
        for (index, value) in values.enumerated() { _ = sqlite.bind_int64(handle, Int32(index + 1), value) }
    }

    func bind(_ index: Int32, _ value: Int64) { _ = sqlite.bind_int64(handle, index, value) }

    /// Binds a text, which is copied; nil is NULL.
    func bind(_ index: Int32, _ value: String?) {
        guard var value else {
            _ = sqlite.bind_null(handle, index)
            return
        }
        value.withUTF8 { bytes in
            _ = bytes.withMemoryRebound(to: CChar.self) { characters in
                sqlite.bind_text64(
                    handle, index, characters.baseAddress, UInt64(characters.count), netcore_sqlite_transient(),
                    UInt8(SQLITE_UTF8))
            }
        }
    }

    /// Binds bytes, which are not copied: they stay where they are until the statement is reset.
    func bind(_ index: Int32, lending bytes: UnsafeRawBufferPointer) {
        if bytes.isEmpty {
            _ = sqlite.bind_zeroblob(handle, index, 0)
        } else {
            _ = sqlite.bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), nil)
        }
    }

    /// Goes on to the next row. Returns false, and is reset, after the last one.
    func step() throws(SQLiteError) -> Bool {
        let code = sqlite.step(handle)
        if code == SQLITE_ROW { return true }
        let failure = code == SQLITE_DONE ? nil : connection.error(code)
        reset()
        if let failure { throw failure }
        return false
    }

    /// Runs to the end, past any rows.
    func run() throws(SQLiteError) {
        while try step() {}
    }

    func reset() {
        _ = sqlite.reset(handle)
        _ = sqlite.clear_bindings(handle)
    }

    func integer(_ column: Int32) -> Int64 { sqlite.column_int64(handle, column) }

    func isNull(_ column: Int32) -> Bool { sqlite.column_type(handle, column) == SQLITE_NULL }

    /// The bytes of a text or blob, valid until the next step.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite.column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite.column_bytes(handle, column)))
    }

    /// The text of a column; nil if its bytes are not UTF-8, which takes no more than reading them. NULL is empty.
    func text(_ column: Int32) -> String? { String(validating: bytes(column), as: UTF8.self) }
}
