/// What answers mean that say in their body or by their status code that something failed: codes and messages of the application's.
///
///     var table = try ErrorTable(codeField: "/code", messageField: "/message")
///     try table.add(.init(1301, value: "301", message: "Sold out."))
///     try table.add(.init(1404, httpStatus: 404))
///     request.errorTable = table
public struct ErrorTable: Sendable {
    /// In one object: each request has room for a table, and few have one.
    private var content: Content

    private final class Content: Sendable {
        let codeField: String?
        let messageField: String?
        let success: [String]
        let rows: [Row]
        let codeSteps: [String]?
        let messageSteps: [String]?

        init(codeField: String?, messageField: String?, success: [String], rows: [Row]) throws(NetcoreError) {
            codeSteps = try ErrorTable.steps(codeField, "code")
            messageSteps = try ErrorTable.steps(messageField, "message")
            self.codeField = codeField
            self.messageField = messageField
            self.success = success
            self.rows = rows
        }

        init(_ other: Content, adding row: Row) {
            codeField = other.codeField
            messageField = other.messageField
            success = other.success
            rows = other.rows + [row]
            codeSteps = other.codeSteps
            messageSteps = other.messageSteps
        }
    }

    /// A JSON pointer to the string or number by which a body says what failed; nil for none.
    public var codeField: String? { content.codeField }
    /// A JSON pointer to a text for people: `{detail}` of messages. Nil for none.
    public var messageField: String? { content.messageField }
    /// Values at ``codeField`` that mean success. With some, any other is an error, also one without a row; its code is
    /// ``ApplicationCode/rejected``. Without, only those of rows are.
    public var success: [String] { content.success }
    public var rows: [Row] { content.rows }

    /// An answer, and what it means.
    public struct Row: Hashable, Sendable {
        /// From ``ApplicationCode/first`` up.
        public let code: ApplicationCode
        /// What the body has at the place of the code, a text or number; nil for any.
        public let value: String?
        /// The status code; 0 for any.
        public let httpStatus: Int
        /// For people, with the placeholders of ``ErrorCatalogue``; nil for that of the catalogue.
        public let message: String?

        public init(_ code: Int32, value: String? = nil, httpStatus: Int = 0, message: String? = nil) {
            self.code = ApplicationCode(rawValue: code)
            self.value = value
            self.httpStatus = httpStatus
            self.message = message
        }

        fileprivate func isForSame(as other: Row) -> Bool { value == other.value && httpStatus == other.httpStatus }
    }

    /// - Throws: ``NetcoreError/Code/invalidArgument`` for what is not a JSON pointer, and for `success` without `codeField`.
    public init(
        codeField: String? = nil, messageField: String? = nil, success: [String] = [], _ rows: [Row] = []
    ) throws(NetcoreError) {
        guard success.isEmpty || codeField != nil else {
            throw NetcoreError(.invalidArgument, argument: "success", "needs a place of the code")
        }
        content = try Content(codeField: codeField, messageField: messageField, success: success, rows: [])
        for row in rows { try add(row) }
    }

    fileprivate static func steps(_ pointer: String?, _ argument: String) throws(NetcoreError) -> [String]? {
        guard let pointer else { return nil }
        guard let steps = JSONPointer.steps(pointer) else {
            throw NetcoreError(
                .invalidArgument, argument: argument, "not a JSON pointer, which is empty or begins with /")
        }
        return steps
    }

    /// Adds a row. One that is there already changes nothing.
    ///
    /// - Throws: ``NetcoreError/Code/invalidArgument`` for a code that is not the application's, a row for any answer, a value without
    ///   ``codeField``, and a clash: the same answer with another code, or the same code with another message.
    public mutating func add(_ row: Row) throws(NetcoreError) {
        guard row.code.isOfApplication else { throw Self.refused("code", "must be 1000 or more") }
        guard row.httpStatus == 0 || (100...599).contains(row.httpStatus) else {
            throw Self.refused("http_status", "must be 0, or from 100 to 599")
        }
        guard row.value != nil || row.httpStatus != 0 else {
            throw Self.refused("value", "a value or a status code is needed")
        }
        guard row.value == nil || codeField != nil else { throw Self.refused("value", "needs a place of the code") }
        for other in rows {
            if other.isForSame(as: row), other.code != row.code {
                throw Self.refused("code", "the answer has the code \(other.code.rawValue) already")
            }
            try Self.check(row, other)
        }
        if !rows.contains(row) { content = Content(content, adding: row) }
    }

    private static func refused(_ argument: String, _ reason: String) -> NetcoreError {
        NetcoreError(.invalidArgument, argument: argument, reason)
    }

    /// Refuses that a code has two messages.
    package static func check(_ row: Row, _ other: Row) throws(NetcoreError) {
        guard row.code == other.code, let new = row.message, let old = other.message, new != old else { return }
        throw refused("message", "the code \(row.code.rawValue) has another one already: \(old)")
    }

    /// With the rows and fields of a module for what this one does not say.
    package func over(_ module: ErrorTable?) throws(NetcoreError) -> ErrorTable {
        guard let module else { return self }
        var result = try ErrorTable(
            codeField: codeField ?? module.codeField, messageField: messageField ?? module.messageField,
            success: success.isEmpty ? module.success : success, rows)
        for row in module.rows {
            for own in rows { try Self.check(own, row) }
            if !rows.contains(where: { $0.isForSame(as: row) }) {
                result.content = Content(result.content, adding: row)
            }
        }
        return result
    }

    /// With other fields, and the same rows.
    package func with(
        codeField: String?, messageField: String?, success: [String]
    ) throws(NetcoreError) -> ErrorTable {
        guard codeField != nil || !rows.contains(where: { $0.value != nil }) else {
            throw Self.refused("code", "errors with values need it")
        }
        return try ErrorTable(codeField: codeField, messageField: messageField, success: success, rows)
    }
}

/// What an error table says of an answer.
package struct ErrorMeaning: Sendable {
    /// Nil for an error without a row.
    package let code: ApplicationCode?
    package let message: String?
    /// What the answer says itself.
    package let detail: String?
    package let httpStatus: Int32
}

extension ErrorTable: Equatable {
    public static func == (first: ErrorTable, second: ErrorTable) -> Bool {
        first.content === second.content
            || first.codeField == second.codeField && first.messageField == second.messageField
                && first.success == second.success && first.rows == second.rows
    }
}

extension ErrorTable {
    /// What an answer means by its status code only; nil if it is no error by that.
    func meaning(status: Int) -> ErrorMeaning? {
        guard let row = rows.first(where: { $0.value == nil && $0.httpStatus == status }) else { return nil }
        return ErrorMeaning(code: row.code, message: row.message, detail: nil, httpStatus: Int32(clamping: status))
    }

    /// What an answer means; nil if it is no error.
    ///
    /// - Parameter isRejected: it is one by other rules; what it says itself is then kept.
    func meaning(of response: Response, isRejected: Bool) -> ErrorMeaning? {
        let (codeSteps, messageSteps) = (content.codeSteps, content.messageSteps)
        let json = codeSteps == nil && messageSteps == nil ? nil : response.withBody { JSONText($0) }
        let value = codeSteps.flatMap { json?.text(at: $0) }
        let row =
            rows.first { $0.value != nil && $0.value == value && $0.httpStatus == response.status }
            ?? rows.first { $0.value != nil && $0.value == value && $0.httpStatus == 0 }
            ?? rows.first { $0.value == nil && $0.httpStatus == response.status }
        let isUnknown = value.map { !success.isEmpty && !success.contains($0) } ?? false
        let detail = messageSteps.flatMap { json?.text(at: $0) }
        guard row != nil || isUnknown || isRejected && detail != nil else { return nil }
        return ErrorMeaning(
            code: row?.code, message: row?.message, detail: detail, httpStatus: Int32(clamping: response.status))
    }
}

extension JSONText {
    /// A string or number; nil for another value, or none.
    fileprivate func text(at steps: [String]) -> String? {
        value(at: steps).flatMap { string($0) ?? number($0) }
    }
}
