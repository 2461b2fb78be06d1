using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Transport.Nats;

/// <summary>Publishes into the stream of a subject, until it is stored.</summary>
internal sealed class NatsStreamSender(NatsStreamTransport transport, SendTarget target) : SubjectSender(transport, transport.Client, transport.Options, target)
{
    /// <inheritdoc/>
    /// <remarks>The server counts nanoseconds since 1970 in 64 bits, which end in the year 2262.</remarks>
    public override TimeSpan MaxDelay { get; } = TimeSpan.FromDays(36_500);

    protected override ValueTask SendCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
        => StoreAsync(properties.RepetitionId ?? Guid.CreateVersion7().ToString("N"), properties.Delay, NatsHeaderMapping.ToNats(in properties), body, ct);

    // The only reply is that the message is stored: an envelope without a body, as for a message without a result.
    protected override ValueTask<Envelope> RequestCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
        => AnswerAsync(SendCoreAsync(in properties, body, ct));

    private async ValueTask<Envelope> AnswerAsync(ValueTask stored)
    {
        await stored.ConfigureAwait(false);
        return new Envelope { Destination = Target.Destination };
    }

    private async ValueTask StoreAsync(string id, TimeSpan wait, NatsHeaders headers, ReadOnlyMemory<byte> body, CancellationToken ct)
    {
        var options = new PublishOptions { MessageId = id };
        var subject = Target.Destination;
        if (wait > TimeSpan.Zero)
        {
            // A subject has one schedule: the message's id separates it from the others, and a repetition replaces itself.
            subject = $"{transport.Schedules}.{Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(id)))}";
            options = options with { Schedule = $"@at {At(wait)}", ScheduleTarget = Target.Destination };
        }

        await transport.InFlight.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            var delay = TimeSpan.Zero;
            transport.Retry.Budget?.Deposit();
            for (var attempt = 1; ; attempt++)
            {
                try
                {
                    await transport.Streams.PublishAsync(subject, body, options, headers, ct: ct).ConfigureAwait(false);
                    return;
                }
                catch (NatsClientException failure) when (!ct.IsCancellationRequested && transport.Retry.TryPlan(failure, attempt, delay, out delay))
                {
                    // The plan has the delay; the client's events report a lost connection.
                }
                catch (NatsClientException error) when (error.Code == NatsErrorCode.JetStreamUnavailable)
                {
                    throw new PostriderException(PostriderError.NoListener, NatsStreamTransport.WithoutStream(subject), error);
                }
                catch (NatsClientException failure) when (NatsSendErrors.HasCounterpart(failure))
                {
                    throw CounterpartOf(failure);
                }

                if (delay > TimeSpan.Zero) await Task.Delay(delay, TimeProvider, ct).ConfigureAwait(false);
            }
        }
        finally
        {
            transport.InFlight.Release();
        }
    }

    private string At(TimeSpan wait) => (TimeProvider.GetUtcNow() + wait).UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture);
}
