public import CNetcore
internal import Netcore
internal import NetcoreHTTP

/// Names and messages as C strings, made once from the one table.
private enum Texts {
    typealias Row = (name: StaticText, message: StaticText)

    static let rows = NetcoreError.Code.table.map(text)
    static let application = text(NetcoreError.Code.applicationRow)
    static let unknown = text(NetcoreError.Code.unknownRow)

    private static func text(_ row: NetcoreError.Code.Row) -> Row {
        (StaticText(row.name.description), StaticText(row.message.description))
    }

    static func row(_ status: netcore_status) -> Row {
        if NetcoreError.Code.ofApplication.contains(status) { return application }
        return NetcoreError.Code.table.firstIndex { $0.code.rawValue == status }.map { rows[$0] } ?? unknown
    }
}

@_cdecl("netcore_status_name") @implementation
public func netcore_status_name(_ status: netcore_status) -> UnsafePointer<CChar>! { Texts.row(status).name.pointer }

@_cdecl("netcore_status_message") @implementation
public func netcore_status_message(_ status: netcore_status) -> UnsafePointer<CChar>! {
    Texts.row(status).message.pointer
}
