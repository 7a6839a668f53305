internal import CNetcore
internal import Netcore

private let version = StaticText(NetcoreVersion.string)
private let details = StaticText("netcore/\(NetcoreVersion.string) \(NetcoreVersion.libraries)")

@_cdecl("netcore_version") @implementation
public func netcore_version() -> UnsafePointer<CChar>! { version.pointer }

@_cdecl("netcore_version_details") @implementation
public func netcore_version_details() -> UnsafePointer<CChar>! { details.pointer }
