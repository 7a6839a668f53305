public import CNetcore
internal import Glibc
internal import Netcore
internal import NetcoreAPI
internal import NetcoreHTTP
internal import NetcoreSupport

extension PageOptions {
    fileprivate init(_ pointer: UnsafePointer<netcore_page_options>?) throws(NetcoreError) {
        self.init()
        guard let pointer else { return }
        let from = try netcore_page_options.read(pointer, "options")
        guard from.reserved == 0 else {
            throw NetcoreError(.invalidArgument, argument: "reserved", "must be 0")
        }
        guard let style = PageStyle(rawValue: from.style) else {
            throw NetcoreError(.invalidArgument, argument: "style", "not a netcore_page_style value")
        }
        guard let overlap = PageOverlap(rawValue: from.overlap) else {
            throw NetcoreError(.invalidArgument, argument: "overlap", "not a netcore_page_overlap value")
        }
        self.style = style
        self.overlap = overlap
        items = try Argument.optionalText(from.items, "items")
        next = try Argument.optionalText(from.next, "next")
        total = try Argument.optionalText(from.total, "total")
        parameter = try Argument.optionalText(from.parameter, "parameter")
        sizeParameter = try Argument.optionalText(from.size_parameter, "size_parameter")
        header = try Argument.optionalText(from.header, "header")
        pageSize = Int(clamping: from.page_size)
        maximumItems = Int(clamping: from.max_items)
        maximumRequests = Int(clamping: from.max_requests)
        firstPage = try Argument.flag(from.zero_based, "zero_based") ? 0 : 1
        prefetches = try Argument.flag(from.prefetch, "prefetch")
    }
}

extension PageLoad {
    fileprivate init(_ load: netcore_page_load, _ number: UInt64) throws(NetcoreError) {
        switch Int(load) {
        case Int(NETCORE_PAGE_LOAD_MORE): self = .more
        case Int(NETCORE_PAGE_LOAD_REFRESH): self = .refresh
        case Int(NETCORE_PAGE_LOAD_NUMBER): self = .page(Int(clamping: number))
        default: throw NetcoreError(.invalidArgument, argument: "load", "not a netcore_page_load value")
        }
    }
}

private struct NextPageCall: @unchecked Sendable {  // a function pointer, and a pointer that is handed back
    let call: netcore_next_page_fn
    let registration: Registration

    /// Lends the page under a handle.
    func callAsFunction(_ response: Response) throws(NetcoreError) -> String? {
        let handle = try Lookup.insert(response, .response)
        defer { HandleTable.shared.release(handle, .response) }
        return try ApplicationText.read("the function for the next page") { room, capacity in
            call(handle, room, capacity, registration.userData)
        }
    }
}

@_cdecl("netcore_pages_create") @implementation
public func netcore_pages_create(
    _ client: netcore_client, _ request: netcore_request, _ options: UnsafePointer<netcore_page_options>!,
    _ fn: netcore_next_page_fn!, _ user_data: UnsafeMutableRawPointer!, _ release: netcore_release_fn!,
    _ out_pages: UnsafeMutablePointer<netcore_pages>!
) -> netcore_status {
    out_pages?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_pages, "out_pages")
        let client = try Lookup.client(client)
        let request = try Lookup.request(request).snapshot
        let options = try PageOptions(options)
        guard let fn else {
            out.pointee = try Lookup.insert(Pages(client, request, options: options), .pages)
            return
        }
        try registering(user_data, release) { (registration) throws(NetcoreError) in
            let next = NextPageCall(call: fn, registration: registration)
            let pages = try Pages(client, request, options: options) { response in try next(response) }
            out.pointee = try Lookup.insert(pages, .pages)
        }
    }
}

@_cdecl("netcore_pages_destroy") @implementation
public func netcore_pages_destroy(_ pages: netcore_pages) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        guard let released = HandleTable.shared.release(pages, .pages) else {
            throw Lookup.missing(pages, .pages, "pages")
        }
        unsafeDowncast(released, to: Pages.self).cancelAhead()
        Releases.drain()
    }
}

@_cdecl("netcore_pages_load") @implementation
public func netcore_pages_load(
    _ pages: netcore_pages, _ load: netcore_page_load, _ number: UInt64,
    _ out_response: UnsafeMutablePointer<netcore_response>!
) -> netcore_status {
    out_response?.pointee = 0
    return uncancelable { () throws(NetcoreError) in
        let page = try Lookup.pages(pages).loadBlocking(PageLoad(load, number))
        if let out_response { out_response.pointee = try Lookup.insert(page.response, .response) }
    }
}

@_cdecl("netcore_pages_read_item") @implementation
public func netcore_pages_read_item(
    _ pages: netcore_pages, _ out_item: UnsafeMutablePointer<netcore_bytes>!
) -> netcore_status {
    out_item?.pointee = netcore_bytes()
    return uncancelable { () throws(NetcoreError) in
        let out = try Argument.notNull(out_item, "out_item")
        let item = LentText(try Lookup.pages(pages).nextItemBlocking())
        LentView.ofItems.keep(item)
        out.pointee = netcore_bytes(text: item.text)
    }
}

@_cdecl("netcore_pages_begin") @implementation
public func netcore_pages_begin(
    _ pages: netcore_pages, _ load: netcore_page_load, _ number: UInt64,
    _ out_request: UnsafeMutablePointer<netcore_request>!, _ out_load: UnsafeMutablePointer<UInt64>!
) -> netcore_status {
    out_request?.pointee = 0
    out_load?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let pages = try Lookup.pages(pages)
        let outRequest = try Argument.notNull(out_request, "out_request")
        let outLoad = try Argument.notNull(out_load, "out_load")
        switch try pages.begin(PageLoad(load, number)) {
        case .joined(let id):
            outLoad.pointee = id
            throw NetcoreError(.inProgress, argument: "pages", "the page is being loaded")
        case .started(let id, let request):
            do throws(NetcoreError) {
                outRequest.pointee = try Lookup.insert(RequestBox(request), .request)
            } catch {
                pages.drop(id)
                throw error
            }
            outLoad.pointee = id
        }
    }
}

@_cdecl("netcore_pages_take") @implementation
public func netcore_pages_take(
    _ pages: netcore_pages, _ load: UInt64, _ response: netcore_response
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        _ = try Lookup.pages(pages).taken(load, Lookup.response(response))
    }
}

@_cdecl("netcore_pages_take_answer") @implementation
public func netcore_pages_take_answer(
    _ pages: netcore_pages, _ load: UInt64, _ url: UnsafePointer<CChar>!, _ http_status: Int32,
    _ headers: UnsafePointer<CChar>!, _ data: UnsafeRawPointer!, _ size_bytes: Int,
    _ next_url: UnsafePointer<CChar>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let pages = try Lookup.pages(pages)
        guard (200..<600).contains(http_status) else {
            throw NetcoreError(.invalidArgument, argument: "http_status", "must be from 200 to 599")
        }
        let lines = UnsafeRawBufferPointer(start: headers, count: headers.map(strlen) ?? 0)
        let response = Response(
            url: try HTTPURL(Argument.text(url, "url")), status: Int(http_status),
            fields: try TransportHop.fields(lines: lines), body: try Argument.body(data, size_bytes))
        _ = try pages.taken(load, response, link: Argument.optionalText(next_url, "next_url"))
    }
}

@_cdecl("netcore_pages_drop") @implementation
public func netcore_pages_drop(_ pages: netcore_pages, _ load: UInt64) -> netcore_status {
    boundary { () throws(NetcoreError) in try Lookup.pages(pages).drop(load) }
}

@_cdecl("netcore_pages_get_items") @implementation
public func netcore_pages_get_items(
    _ pages: netcore_pages, _ out_items: UnsafeMutablePointer<netcore_bytes>!
) -> netcore_status {
    out_items?.pointee = netcore_bytes()
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_items, "out_items")
        let items = LentText(try Lookup.pages(pages).itemsOfPage ?? "")
        LentView.ofPages.keep(items)
        out.pointee = netcore_bytes(text: items.text)
    }
}

@_cdecl("netcore_pages_get_info") @implementation
public func netcore_pages_get_info(
    _ pages: netcore_pages, _ out_info: UnsafeMutablePointer<netcore_page_info>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let out = try OutRoom(out_info, "out_info")
        let from = try Lookup.pages(pages).info
        var info = netcore_page_info()
        info.style = from.style.rawValue
        info.page = UInt64(clamping: from.page)
        info.page_size = UInt64(clamping: from.pageSize)
        info.item_count = UInt64(clamping: from.items)
        info.loaded = UInt64(clamping: from.loaded)
        info.total = from.total.map { UInt64(clamping: $0) } ?? .max
        info.page_count = from.pageCount.map { UInt64(clamping: $0) } ?? .max
        info.requests = UInt64(clamping: from.requests)
        info.last_request_ms = from.lastRequest
        info.has_more = from.hasMore ? 1 : 0
        info.is_limited = from.isLimited ? 1 : 0
        info.is_loading = from.isLoading ? 1 : 0
        out.write(info)
    }
}
