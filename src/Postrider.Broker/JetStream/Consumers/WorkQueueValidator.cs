using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Model.Consumers;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.Subjects;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>The rules for consumers of a work queue, in which each message is for one of them.</summary>
internal static class WorkQueueValidator
{
    /// <summary>Checks a new consumer.</summary>
    /// <returns>Null, or the error.</returns>
    public static ApiError? Validate(MessageStream stream, string? name, ConsumerConfig config)
    {
        if (stream.Config.Retention != StreamRetention.WorkQueue || config.IsForCopies) return null;
        if (config.AckPolicy is not (AckPolicy.Explicit or AckPolicy.FlowControl)) return ApiErrors.ConsumerWQRequiresExplicitAck;
        if (config.DeliverPolicy != DeliverPolicy.All) return ApiErrors.ConsumerWQConsumerNotDeliverAll;
        if (Competing(stream).Count == 0) return null;
        if (config.Filters.Length == 0) return ApiErrors.ConsumerWQMultipleUnfiltered;
        return IsOnly(stream, name, config.Filters) ? null : ApiErrors.ConsumerWQConsumerNotUnique;
    }

    /// <summary>Whether no other consumer delivers any of these subjects.</summary>
    public static bool IsOnly(MessageStream stream, string? name, string[] filters)
    {
        var overlaps = new SubjectOverlaps(filters);
        foreach (var other in Competing(stream))
        {
            if (other.Name == name) continue;
            var others = other.Config.Filters;
            if (filters.Length > 0 && others.Length == 0) return false;
            if (others.Any(overlaps.Collides)) return false;
        }
        return true;
    }

    private static List<Consumer> Competing(MessageStream stream) => [.. ConsumerRegistry.List(stream).Where(static consumer => !consumer.Config.IsForCopies)];
}
