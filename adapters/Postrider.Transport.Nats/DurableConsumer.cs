using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;

namespace Postrider.Transport.Nats;

/// <summary>Finds or creates the consumer of a binding.</summary>
internal sealed class DurableConsumer
{
    private readonly JetStreamContext _streams;
    private readonly DurableBinding _binding;

    public DurableConsumer(JetStreamContext streams, DurableBinding binding) => (_streams, _binding) = (streams, binding);

    /// <summary>Opens it.</summary>
    /// <exception cref="PostriderException">No stream listens to the subject (<see cref="PostriderError.NoListener"/>), or the consumer
    /// existing one has a different type.</exception>
    /// <exception cref="NatsClientException">The server rejects the request, or does not respond.</exception>
    public async Task<JetStreamConsumer> OpenAsync(CancellationToken ct)
    {
        var stream = _binding.Stream ?? await FindStreamAsync(_binding.Source, "", ct).ConfigureAwait(false);
        if (_binding.BindOnly)
        {
            var bound = await _streams.GetConsumerAsync(stream, _binding.Consumer, ct).ConfigureAwait(false);
            return bound.Info.Config.AckPolicy == AckPolicy.Explicit
                ? bound
                : throw Contradiction($"the consumer has AckPolicy {bound.Info.Config.AckPolicy}, but Explicit is required");
        }
        // Checked now instead of with the first dead letter.
        if (_binding.DeadLetter is { } deadLetter) await FindStreamAsync(deadLetter, ", the subject of its dead letters", ct).ConfigureAwait(false);
        var config = new ConsumerConfig
        {
            DurableName = _binding.Consumer,
            FilterSubject = _binding.Source,
            AckPolicy = AckPolicy.Explicit,
            AckWait = _binding.AckWait,
            // The listener counts: a message that the server stops delivering would stay in the stream unnoticed.
            MaxDeliver = -1,
        };
        return await _streams.CreateOrUpdateConsumerAsync(stream, _binding.Configure?.Invoke(config) ?? config, ct).ConfigureAwait(false);
    }

    private async Task<string> FindStreamAsync(string subject, string use, CancellationToken ct)
    {
        try
        {
            return await _streams.FindStreamNameAsync(subject, ct).ConfigureAwait(false)
                ?? throw new PostriderException(PostriderError.NoListener, $"No stream has the subject '{subject}'{use}: create one, in a host with AddPostriderStreams.");
        }
        catch (NatsClientException unavailable) when (unavailable.Code == NatsErrorCode.JetStreamUnavailable || unavailable is JetStreamException { ErrorCode: JetStreamErrors.NotEnabled or JetStreamErrors.NotEnabledForAccount })
        {
            throw new PostriderException(PostriderError.Unavailable, $"The stream for the binding of '{_binding.Source}' to consumer '{_binding.Consumer}' cannot be found. {unavailable.Message}", unavailable);
        }
    }

    private PostriderException Contradiction(string what)
        => new(PostriderError.Configuration, $"The binding of '{_binding.Source}' to consumer '{_binding.Consumer}' is not valid: {what}.");
}
