using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;

namespace Postrider.Transport.Nats;

/// <summary>Finds or creates the consumer of a binding.</summary>
internal sealed partial class DurableConsumer(NatsClient client, JetStreamContext streams, DurableBinding binding, ILogger logger) : IDisposable
{
    // What the bindings of each client receive, by domain, stream and consumer.
    private static readonly ConditionalWeakTable<NatsClient, ConcurrentDictionary<(string, string), (string Source, object Owner)>> s_bound = [];

    private (string, string)? _taken;

    /// <summary>Opens it.</summary>
    /// <exception cref="PostriderException">No stream listens to the subject (<see cref="PostriderError.NoListener"/>), another binding uses the
    /// consumer for another subject, or the existing one has a different type.</exception>
    /// <exception cref="NatsClientException">The server rejects the request, or does not respond.</exception>
    public async Task<JetStreamConsumer> OpenAsync(CancellationToken ct)
    {
        var stream = binding.Stream ?? await FindStreamAsync(binding.Source, "", ct).ConfigureAwait(false);
        Take(stream);
        if (binding.BindOnly)
        {
            var bound = await streams.GetConsumerAsync(stream, binding.Consumer, ct).ConfigureAwait(false);
            return bound.Info.Config.AckPolicy == AckPolicy.Explicit
                ? bound
                : throw Contradiction($"the consumer has AckPolicy {bound.Info.Config.AckPolicy}, but Explicit is required");
        }
        // Checked now instead of with the first dead letter.
        if (binding.DeadLetter is { } deadLetter) await FindStreamAsync(deadLetter, ", the subject of its dead letters", ct).ConfigureAwait(false);
        var config = new ConsumerConfig
        {
            DurableName = binding.Consumer,
            FilterSubject = binding.Source,
            AckPolicy = AckPolicy.Explicit,
            AckWait = binding.AckWait,
            // The listener counts: a message that the server stops delivering would stay in the stream unnoticed.
            MaxDeliver = -1,
        };
        return await CreateAsync(stream, binding.Configure?.Invoke(config) ?? config, ct).ConfigureAwait(false);
    }

    /// <summary>Leaves the consumer to other bindings.</summary>
    public void Dispose()
    {
        if (_taken is { } key && s_bound.TryGetValue(client, out var bound) && bound.TryGetValue(key, out var user) && ReferenceEquals(user.Owner, this))
            bound.TryRemove(key, out _);
    }

    // Two subjects over one consumer: the later binding would replace the filter of the earlier one, and get its messages.
    private void Take(string stream)
    {
        var key = ($"{streams.Options.Domain}/{stream}", binding.Consumer);
        var (source, _) = s_bound.GetOrCreateValue(client).GetOrAdd(key, (binding.Source, this));
        if (source != binding.Source)
            throw Contradiction($"this process uses the consumer of the stream '{stream}' for '{source}' already; give each source a consumer of its own");
        _taken = key;
    }

    private async Task<JetStreamConsumer> CreateAsync(string stream, ConsumerConfig config, CancellationToken ct)
    {
        try
        {
            return await streams.CreateConsumerAsync(stream, config, ct).ConfigureAwait(false);
        }
        catch (JetStreamException different) when (different.ErrorCode == JetStreamErrors.ConsumerExists)
        {
            var changed = await streams.CreateOrUpdateConsumerAsync(stream, config, ct).ConfigureAwait(false);
            LogChanged(logger, binding.Consumer, stream, binding.Source);
            return changed;
        }
    }

    private async Task<string> FindStreamAsync(string subject, string use, CancellationToken ct)
    {
        try
        {
            return await streams.FindStreamNameAsync(subject, ct).ConfigureAwait(false)
                ?? throw new PostriderException(PostriderError.NoListener, $"No stream has the subject '{subject}'{use}: create one, in a host with AddPostriderStreams.");
        }
        catch (NatsClientException unavailable) when (unavailable.Code == NatsErrorCode.JetStreamUnavailable || unavailable is JetStreamException { ErrorCode: JetStreamErrors.NotEnabled or JetStreamErrors.NotEnabledForAccount })
        {
            throw new PostriderException(PostriderError.Unavailable, $"The stream for the binding of '{binding.Source}' to consumer '{binding.Consumer}' cannot be found. {unavailable.Message}", unavailable);
        }
    }

    private PostriderException Contradiction(string what)
        => new(PostriderError.Configuration, $"The binding of '{binding.Source}' to consumer '{binding.Consumer}' is not valid: {what}.");

    [LoggerMessage(4, LogLevel.Warning, "The consumer '{Consumer}' of the stream '{Stream}' had another configuration and now has that of the binding of '{Source}'. If another process binds it to another subject, give it a consumer of its own")]
    private static partial void LogChanged(ILogger logger, string consumer, string stream, string source);
}
