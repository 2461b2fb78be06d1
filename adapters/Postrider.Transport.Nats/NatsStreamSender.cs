using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Transport.Nats;

/// <summary>Publishes into the stream of a subject, until it is stored.</summary>
internal sealed class NatsStreamSender(NatsStreamTransport transport, SendTarget target) : MessageSender(transport, target)
{
    /// <inheritdoc/>
    public override long MaxBodyBytes => NatsHealth.MaxBodyBytes(transport.Client);

    protected override TimeProvider TimeProvider => transport.Client.Options.TimeProvider;

    protected override ValueTask SendCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
        => StoreAsync(properties.RepetitionId ?? Guid.CreateVersion7().ToString("N"), NatsHeaderMapping.ToNats(in properties), body, ct);

    // The only answer is that the message is stored: an envelope without a body, as for a message without a result.
    protected override ValueTask<Envelope> RequestCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
        => AnswerAsync(SendCoreAsync(in properties, body, ct));

    private async ValueTask<Envelope> AnswerAsync(ValueTask stored)
    {
        await stored.ConfigureAwait(false);
        return new Envelope { Destination = Target.Destination };
    }

    private async ValueTask StoreAsync(string id, NatsHeaders headers, ReadOnlyMemory<byte> body, CancellationToken ct)
    {
        var options = new PublishOptions { MessageId = id };
        var delay = TimeSpan.Zero;
        transport.Retry.Budget?.Deposit();
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                await transport.Streams.PublishAsync(Target.Destination, body, options, headers, ct: ct).ConfigureAwait(false);
                return;
            }
            catch (NatsClientException failure) when (!ct.IsCancellationRequested && transport.Retry.TryPlan(failure, attempt, delay, out delay))
            {
                // The plan holds the delay; the client's events tell of a lost connection.
            }
            catch (NatsClientException error) when (error.Code == NatsErrorCode.JetStreamUnavailable)
            {
                throw new PostriderException(PostriderError.NoListener, $"No stream has the subject '{Target.Destination}' on transport '{transport.Name}'.", error);
            }
            catch (NatsClientException large) when (large.Code == NatsErrorCode.PayloadTooLarge)
            {
                // The server's limit holds for headers and body together.
                throw new PostriderException(PostriderError.TooLarge, $"Message to '{Target.Destination}' with its headers: {large.Message}", large);
            }

            if (delay > TimeSpan.Zero) await Task.Delay(delay, transport.Client.Options.TimeProvider, ct).ConfigureAwait(false);
        }
    }
}
