using System.Text.Json;
using Postrider.Broker.JetStream.Advisories;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Model.Consumers;

namespace Postrider.Broker.JetStream.Serialization;

/// <summary>Sets up the JSON of the requests that applications begin with, which otherwise takes several milliseconds of the first one.</summary>
internal static class JsonPreparation
{
    private static int _hasBegun;

    /// <summary>Begins, once for the process, on a thread of the pool.</summary>
    public static void Begin()
    {
        if (Interlocked.Exchange(ref _hasBegun, 1) == 0) ThreadPool.UnsafeQueueUserWorkItem(static _ => Prepare(), null);
    }

    private static void Prepare()
    {
        foreach (var options in (JsonSerializerOptions[])[StreamJson.Default.Options, StreamJson.Lenient.Options])
            _ = options.GetTypeInfo(typeof(StreamConfig));
        foreach (var options in (JsonSerializerOptions[])[ConsumerJson.Default.Options, ConsumerJson.Lenient.Options])
            _ = options.GetTypeInfo(typeof(ConsumerCreateRequest));
        foreach (var type in (Type[])[typeof(StreamInfoReply), typeof(StreamActionAdvisory), typeof(StreamMetadata), typeof(ApiAuditAdvisory), typeof(PubAckReply)])
            _ = StreamJson.Default.Options.GetTypeInfo(type);
        foreach (var type in (Type[])[typeof(ConsumerInfoReply), typeof(ConsumerAdvisory), typeof(ConsumerMetadata)])
            _ = ConsumerJson.Default.Options.GetTypeInfo(type);
    }
}
