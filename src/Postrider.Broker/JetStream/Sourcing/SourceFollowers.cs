using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Streams;

namespace Postrider.Broker.JetStream.Sourcing;

/// <summary>Makes what copies a source.</summary>
internal static class SourceFollowers
{
    /// <summary>A stream of the same account is read where it is; one behind an API, or behind a durable consumer, sends its messages.</summary>
    /// <param name="target">The stream that copies.</param>
    /// <param name="source">What it copies.</param>
    public static ISourceFollower Create(MessageStream target, StreamSource source)
        => source.External is null && source.Consumer is null ? new SourceCopier(target, source) : new RemoteSource(target, source);
}
