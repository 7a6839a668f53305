public import CNetcore
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

extension Cassette.Options {
    fileprivate init(_ pointer: UnsafePointer<netcore_cassette_options>?) throws(NetcoreError) {
        self.init()
        guard let pointer else { return }
        let from = try netcore_cassette_options.read(pointer, "options")
        guard let mode = CassetteMode(rawValue: from.mode) else {
            throw NetcoreError(.invalidArgument, argument: "mode", "not a netcore_cassette_mode value")
        }
        self.mode = mode
        secretHeaders = try Argument.array(
            from.secret_headers, from.secret_header_count, "secret_headers", "secret_header_count"
        ) { (text) throws(NetcoreError) in try Argument.name(text, "secret_headers") }
        secretParameters = try Argument.array(
            from.secret_parameters, from.secret_parameter_count, "secret_parameters", "secret_parameter_count"
        ) { (text) throws(NetcoreError) in try Argument.name(text, "secret_parameters") }
        repeats = try Argument.flag(from.repeat, "repeat")
        skipsPauses = try Argument.flag(from.skip_pauses, "skip_pauses")
    }
}

@_cdecl("netcore_cassette_create") @implementation
public func netcore_cassette_create(
    _ path: UnsafePointer<CChar>!, _ options: UnsafePointer<netcore_cassette_options>!,
    _ out_cassette: UnsafeMutablePointer<netcore_cassette>!
) -> netcore_status {
    out_cassette?.pointee = 0
    return uncancelable { () throws(NetcoreError) in
        let out = try Argument.notNull(out_cassette, "out_cassette")
        let cassette = try Cassette(Argument.name(path, "path"), options: Cassette.Options(options))
        out.pointee = try Lookup.insert(cassette, .cassette)
    }
}

@_cdecl("netcore_cassette_destroy") @implementation
public func netcore_cassette_destroy(_ cassette: netcore_cassette) -> netcore_status {
    boundary { () throws(NetcoreError) in
        guard HandleTable.shared.release(cassette, .cassette) != nil else {
            throw Lookup.missing(cassette, .cassette, "cassette")
        }
    }
}

@_cdecl("netcore_client_set_cassette") @implementation
public func netcore_client_set_cassette(_ client: netcore_client, _ cassette: netcore_cassette) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        try client.setCassette(try Lookup.cassette(cassette))
    }
}

@_cdecl("netcore_cassette_save") @implementation
public func netcore_cassette_save(_ cassette: netcore_cassette) -> netcore_status {
    uncancelable { () throws(NetcoreError) in try Lookup.cassette(cassette).save() }
}

@_cdecl("netcore_cassette_check") @implementation
public func netcore_cassette_check(_ cassette: netcore_cassette) -> netcore_status {
    boundary { () throws(NetcoreError) in try Lookup.cassette(cassette).check() }
}

@_cdecl("netcore_cassette_get_info") @implementation
public func netcore_cassette_get_info(
    _ cassette: netcore_cassette, _ out_info: UnsafeMutablePointer<netcore_cassette_info>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let out = try OutRoom(out_info, "out_info")
        let counts = try Lookup.cassette(cassette).counts
        var info = netcore_cassette_info()
        info.replayed = UInt64(clamping: counts.replayed)
        info.recorded = UInt64(clamping: counts.recorded)
        info.unused = UInt64(clamping: counts.unused)
        out.write(info)
    }
}
