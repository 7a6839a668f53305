public import CNetcore
internal import Netcore
internal import NetcoreHTTP

/// Names and messages as C strings, made once from the one table.
private enum Texts {
    static let names = NetcoreError.Code.table.map { StaticText($0.name.description) }
    static let messages = NetcoreError.Code.table.map { StaticText($0.message.description) }
    static let unknownName = StaticText(NetcoreError.Code.unknownRow.name.description)
    static let unknownMessage = StaticText(NetcoreError.Code.unknownRow.message.description)
    static let empty = StaticText("")

    static func index(_ status: netcore_status) -> Int? {
        NetcoreError.Code.table.firstIndex { $0.code.rawValue == status }
    }
}

@_cdecl("netcore_status_name") @implementation
public func netcore_status_name(_ status: netcore_status) -> UnsafePointer<CChar>! {
    Texts.index(status).map { Texts.names[$0].pointer } ?? Texts.unknownName.pointer
}

@_cdecl("netcore_status_message") @implementation
public func netcore_status_message(_ status: netcore_status) -> UnsafePointer<CChar>! {
    Texts.index(status).map { Texts.messages[$0].pointer } ?? Texts.unknownMessage.pointer
}

@_cdecl("netcore_last_error_message") @implementation
public func netcore_last_error_message() -> UnsafePointer<CChar>! {
    LastError.pointer ?? Texts.empty.pointer
}
