public import CNetcore
internal import Netcore
internal import NetcoreHTTP

@_cdecl("netcore_client_get_statistics") @implementation
public func netcore_client_get_statistics(
    _ client: netcore_client, _ out_statistics: UnsafeMutablePointer<netcore_client_statistics>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let out = try OutRoom(out_statistics, "out_statistics")
        let from = try Lookup.client(client).statistics
        var result = netcore_client_statistics()
        result.queued_count = UInt32(clamping: from.queuedTasks)
        result.task_count = UInt64(clamping: from.tasks)
        result.succeeded_count = UInt64(clamping: from.succeeded)
        result.failed_count = UInt64(clamping: from.failed)
        result.canceled_count = UInt64(clamping: from.canceled)
        result.attempt_count = UInt64(clamping: from.attempts)
        result.retry_count = UInt64(clamping: from.retries)
        result.budget_refusal_count = UInt64(clamping: from.budgetRefusals)
        result.breaker_refusal_count = UInt64(clamping: from.breakerRefusals)
        result.failover_count = UInt64(clamping: from.failovers)
        result.hedge_count = UInt64(clamping: from.hedges)
        result.hedge_win_count = UInt64(clamping: from.hedgeWins)
        result.bytes_sent = UInt64(clamping: from.bytesSent)
        result.bytes_received = UInt64(clamping: from.bytesReceived)
        out.write(result)
    }
}

@_cdecl("netcore_client_list_budgets") @implementation
public func netcore_client_list_budgets(
    _ client: netcore_client, _ fn: netcore_budget_fn!, _ user_data: UnsafeMutableRawPointer!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let fn = try Argument.notNull(fn, "fn")
        for found in try Lookup.client(client).retryBudgets {
            let origin = found.origin.utf8CString
            var info = netcore_budget_info()
            info.size = UInt32(MemoryLayout<netcore_budget_info>.size)
            info.tokens = UInt32(clamping: found.tokens)
            info.capacity = UInt32(clamping: found.capacity)
            info.origin = netcore_bytes(text: origin)
            guard withExtendedLifetime(origin, { fn(&info, user_data) }) != 0 else { return }
        }
    }
}
