using System.Text;
using Postrider.Broker.Streams;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Consumers;

/// <summary>What consumers of a work queue must keep to: each message is for one of them.</summary>
internal static class WorkQueueRules
{
    /// <summary>Checks a new consumer.</summary>
    /// <returns>Null, or the error.</returns>
    public static ApiError? Check(MessageStream stream, string? name, ConsumerConfig config)
    {
        if (stream.Config.Retention != RetentionPolicy.WorkQueue || config.Direct) return null;
        if (config.AckPolicy is not (AckPolicy.Explicit or AckPolicy.FlowControl)) return ApiErrors.ConsumerWQRequiresExplicitAck;
        if (config.DeliverPolicy != DeliverPolicy.All) return ApiErrors.ConsumerWQConsumerNotDeliverAll;
        if (ConsumerEngine.List(stream).Length == 0) return null;
        if (config.Filters.Length == 0) return ApiErrors.ConsumerWQMultipleUnfiltered;
        return IsOnly(stream, name, config.Filters) ? null : ApiErrors.ConsumerWQConsumerNotUnique;
    }

    /// <summary>Whether no other consumer is given any of these subjects.</summary>
    public static bool IsOnly(MessageStream stream, string? name, string[] filters)
    {
        foreach (var other in ConsumerEngine.List(stream))
        {
            if (other.Name == name) continue;
            var others = other.Config.Filters;
            if (filters.Length > 0 && others.Length == 0) return false;
            if (filters.Any(filter => others.Any(otherFilter => Subject.Collide(Encoding.UTF8.GetBytes(filter), Encoding.UTF8.GetBytes(otherFilter))))) return false;
        }
        return true;
    }
}
