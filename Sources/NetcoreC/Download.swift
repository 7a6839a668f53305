public import CNetcore
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

extension DownloadOptions {
    fileprivate init(_ pointer: UnsafePointer<netcore_download_options>?) throws(NetcoreError) {
        self.init()
        guard let pointer else { return }
        let from = try netcore_download_options.read(pointer, "options")
        replacesFile = try Argument.flag(from.overwrite, "overwrite")
        if from.expected_bytes != 0 { expectedSize = Int(clamping: from.expected_bytes) }
        expectedSHA256 = try Argument.optionalText(from.sha256, "sha256")
        key = try Argument.optionalText(from.key, "key")
        if from.resumes != 0 { resumes = from.resumes == .max ? 0 : Int(from.resumes) }
        if from.segments != 0 { segments = Int(from.segments) }
        if from.segment_bytes != 0 { segmentSize = Int(clamping: from.segment_bytes) }
        makesSHA256 = try Argument.flag(from.compute_sha256, "compute_sha256")
        isSynced = try !Argument.flag(from.skip_sync, "skip_sync")
    }
}

@_cdecl("netcore_download") @implementation
public func netcore_download(
    _ client: netcore_client, _ request: netcore_request, _ path: UnsafePointer<CChar>!,
    _ options: UnsafePointer<netcore_download_options>!, _ timeout_ms: UInt64,
    _ out_task: UnsafeMutablePointer<netcore_task>!, _ out_response: UnsafeMutablePointer<netcore_response>!
) -> netcore_status {
    out_task?.pointee = 0
    out_response?.pointee = 0
    return uncancelable { () throws(NetcoreError) in
        let outResponse = try Argument.notNull(out_response, "out_response")
        if timeout_ms != .max { _ = try Argument.notNull(out_task, "out_task") }
        let (response, task) = try Lookup.client(client).download(
            Lookup.request(request).snapshot, to: Argument.text(path, "path"), DownloadOptions(options),
            until: deadline(timeout_ms))
        guard let response else {
            out_task?.pointee = task?.id ?? 0
            throw NetcoreError(.inProgress, "the download continues")
        }
        outResponse.pointee = try Lookup.insert(response, .response)
        if let error = response.error { throw error }
    }
}

@_cdecl("netcore_download_dispatch") @implementation
public func netcore_download_dispatch(
    _ client: netcore_client, _ request: netcore_request, _ path: UnsafePointer<CChar>!,
    _ options: UnsafePointer<netcore_download_options>!, _ done: netcore_done_fn!,
    _ user_data: UnsafeMutableRawPointer!, _ out_task: UnsafeMutablePointer<netcore_task>!
) -> netcore_status {
    out_task?.pointee = 0
    return uncancelable { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        let request = try Lookup.request(request).snapshot
        let task = try client.makeDownload(
            request, to: Argument.text(path, "path"), DownloadOptions(options),
            Completion.sink(done, request, client.engine), userData: Completion.number(user_data))
        // Known before any callback can run.
        out_task?.pointee = task.id
        do throws(NetcoreError) {
            try client.startDownload(task)
        } catch {
            out_task?.pointee = 0
            throw error
        }
    }
}

@_cdecl("netcore_download_get_progress") @implementation
public func netcore_download_get_progress(
    _ task: netcore_task, _ out_progress: UnsafeMutablePointer<netcore_download_progress>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let out = try OutRoom(out_progress, "out_progress")
        guard case .download(let run) = try Lookup.task(task).work else {
            throw NetcoreError(.invalidState, argument: "task", "is not a download")
        }
        let from = run.progress
        var progress = netcore_download_progress()
        progress.done_bytes = UInt64(clamping: from.size)
        progress.total_bytes = from.total.map { UInt64(clamping: $0) } ?? .max
        progress.resumed_from = UInt64(clamping: from.resumedFrom)
        progress.bytes_per_second = UInt64(clamping: from.bytesPerSecond ?? 0)
        progress.time_left_ms = from.timeLeft.map { UInt64(clamping: $0.milliseconds) } ?? .max
        out.write(progress)
    }
}

@_cdecl("netcore_response_get_download") @implementation
public func netcore_response_get_download(
    _ response: netcore_response, _ out_info: UnsafeMutablePointer<netcore_download_info>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let out = try OutRoom(out_info, "out_info")
        guard let box = try Lookup.response(response).downloadBox else {
            throw NetcoreError(.notFound, argument: "response", "is not that of a download")
        }
        let from = box.info
        var info = netcore_download_info()
        info.complete = from.isComplete ? 1 : 0
        info.size_bytes = UInt64(clamping: from.size)
        info.resumed_from = UInt64(clamping: from.resumedFrom)
        info.fetched_bytes = UInt64(clamping: from.fetched)
        info.fetched_again_bytes = UInt64(clamping: from.fetchedAgain)
        info.requests = UInt32(clamping: from.requests)
        // Arrays of the box, which are never changed: their bytes stay where they are.
        info.path = netcore_bytes(text: box.pathText)
        info.sha256 = netcore_bytes(text: box.digestText)
        out.write(info)
    }
}

@_cdecl("netcore_download_list_parts") @implementation
public func netcore_download_list_parts(
    _ folder: UnsafePointer<CChar>!, _ fn: netcore_download_part_fn!, _ user_data: UnsafeMutableRawPointer!
) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        let fn = try Argument.notNull(fn, "fn")
        for part in try DownloadPart.all(in: Argument.name(folder, "folder")) {
            var lent = netcore_download_part()
            lent.size = UInt32(MemoryLayout<netcore_download_part>.size)
            lent.busy = part.isBusy ? 1 : 0
            lent.size_bytes = UInt64(clamping: part.size)
            lent.total_bytes = part.total.map { UInt64(clamping: $0) } ?? .max
            lent.modified = Int64(part.modified)
            let goesOn = part.path.withCString { path in
                lent.path = path
                return fn(&lent, user_data)
            }
            guard goesOn != 0 else { return }
        }
    }
}

@_cdecl("netcore_download_remove_part") @implementation
public func netcore_download_remove_part(_ path: UnsafePointer<CChar>!) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        guard try DownloadPart.remove(of: Argument.name(path, "path")) else {
            throw NetcoreError(.notFound, argument: "path", "there is no part of such a file")
        }
    }
}
