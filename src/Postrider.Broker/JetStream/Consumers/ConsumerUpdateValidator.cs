using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Model.Consumers;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>Checks whether a consumer's configuration may change to another one.</summary>
/// <remarks>Source: nats-server, whose order and texts clients compare.</remarks>
internal static class ConsumerUpdateValidator
{
    /// <summary>Checks a change.</summary>
    /// <param name="old">The current configuration.</param>
    /// <param name="changed">The new configuration.</param>
    /// <param name="isBound">Whether its current deliver subject has interest.</param>
    /// <returns>Null, or the error for the property that must not change.</returns>
    public static ApiError? Validate(ConsumerConfig old, ConsumerConfig changed, Func<bool> isBound)
    {
        if (FirstFixed(old, changed) is { } problem) return ApiErrors.ConsumerCreate.With("err", problem);
        if (old.DeliverSubject != changed.DeliverSubject)
        {
            if (old.IsPull) return ApiErrors.ConsumerCreate.With("err", "can not update pull consumer to push based");
            if (changed.IsPull) return ApiErrors.ConsumerCreate.With("err", "can not update push consumer to pull based");
            if (isBound()) return ApiErrors.ConsumerNameExist;
        }
        if (old.MaxWaiting != changed.MaxWaiting) return ApiErrors.ConsumerCreate.With("err", "max waiting can not be updated");
        return changed.Backoff is { Length: > 0 } backoff && changed.MaxDeliver != -1 && backoff.Length > changed.MaxDeliver
            ? ApiErrors.ConsumerMaxDeliverBackoff
            : null;
    }

    private static string? FirstFixed(ConsumerConfig old, ConsumerConfig changed)
    {
        if (old.DeliverPolicy != changed.DeliverPolicy) return "deliver policy can not be updated";
        if (old.MemoryStorage != changed.MemoryStorage) return "storage type can not be updated";
        if (old.Direct != changed.Direct) return "direct can not be updated";
        if (old.Sourcing != changed.Sourcing) return "sourcing can not be updated";
        if (old.StartSequence != changed.StartSequence) return "start sequence can not be updated";
        if (old.StartTime != changed.StartTime) return "start time can not be updated";
        if (old.AckPolicy != changed.AckPolicy) return "ack policy can not be updated";
        if (old.ReplayPolicy != changed.ReplayPolicy) return "replay policy can not be updated";
        if (old.Heartbeat != changed.Heartbeat) return "heart beats can not be updated";
        return old.FlowControl != changed.FlowControl ? "flow control can not be updated" : null;
    }
}
