using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Streams;

namespace Postrider.Broker.JetStream.Sourcing;

/// <summary>Creates the followers that copy sources.</summary>
internal static class SourceFollowers
{
    /// <summary>A stream of the same account is read directly; one behind an API, or behind a durable consumer, sends its messages.</summary>
    /// <param name="target">The stream that copies.</param>
    /// <param name="source">The source to copy.</param>
    public static ISourceFollower Create(MessageStream target, StreamSource source)
        => source.External is null && source.Consumer is null ? new SourceCopier(target, source) : new RemoteSource(target, source);
}
