internal import NetcoreTransport

/// The stages, in the order in which a request passes them on its way down.
enum StageList {
    static func make(_ context: StageContext, _ transport: any Transport) -> [Stage] {
        let client = context.client
        let hedgeTimers = HedgeTimers()
        var stages: [Stage] = client.cache.map { [InvalidationStage($0)] } ?? []
        stages += [
            DeliveryStage(context),
            VerdictStage(context),
            ServiceStage(context),
            FilterStage(context),
            DuplicateStage(context),
            FollowStage(context),
        ]
        if client.hsts != nil { stages.append(UpgradeStage(context)) }
        stages.append(CredentialsStage(context))
        if let cache = client.cache {
            stages.append(CacheStage(context, cache))
            stages.append(ValidationStage(context))
        }
        stages.append(ArrivalStage(context))
        stages.append(IntervalStage(context))
        stages.append(RetryStage(context))
        stages.append(HedgeStage(context, hedgeTimers))
        let probes = ProbeStage(context)
        stages.append(probes)
        stages.append(NetworkStage(context))
        stages.append(RateStage(context))
        stages.append(AdmitStage(context, transport))
        stages.append(FailoverStage(context, probes))
        stages.append(BreakerStage(context))
        stages.append(AttemptStage(context))
        stages.append(HopValueStage(context))
        stages.append(HedgeClockStage(context, hedgeTimers))
        stages.append(TransportStage(context, transport))
        return stages
    }
}
