using Microsoft.Extensions.Logging;
using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>Reads the messages of a binding in another system's form, and writes the replies in it if the form supports
/// replies.</summary>
/// <param name="transport">The transport.</param>
/// <param name="format">The form.</param>
/// <param name="receiver">Handles the messages.</param>
/// <param name="logger">Logs invalid messages.</param>
/// <param name="time">The clock by which messages expire.</param>
internal sealed partial class FormatReceiver(ITransport transport, EnvelopeFormat format, EnvelopeReceiver receiver, ILogger logger, TimeProvider time)
{
    internal async ValueTask<Envelope?> ReceiveAsync(Envelope envelope, CancellationToken ct)
    {
        Envelope read;
        try
        {
            read = format.Read(envelope);
        }
        catch (PostriderException invalid)
        {
            LogInvalid(logger, transport.Name, envelope.Destination, invalid.Message);
            envelope.Delivery?.Fail(invalid, isUnreadable: true);
            return envelope.ReplyTo is null ? null : new Envelope
            {
                Destination = envelope.ReplyTo,
                Headers = { { HeaderNames.Error, invalid.Message.ReplaceLineEndings(" ") }, { HeaderNames.ErrorCode, nameof(PostriderError.Codec) } },
            };
        }

        // The listener has already checked the time to live of Postrider's own form.
        if (envelope.Delivery is { } delivery && format.HasTimeToLive && !ReferenceEquals(read, envelope)
            && MessageProperties.ParseTime(read.Headers[HeaderNames.ExpiresAt]) is { } expiry && expiry <= time.GetUtcNow())
        {
            delivery.Refuse(DeadLetterReason.Expired);
            delivery.Fail(new TimeoutException($"The message expired at {expiry.UtcDateTime:O}."));
            return null;
        }

        var answer = await receiver(read, ct).ConfigureAwait(false);
        if (answer is null || !format.WritesAnswers || answer.Headers[HeaderNames.Error] is not null)
            return answer;
        var (properties, body) = format.Write(MessageProperties.From(answer.Headers), answer.Body);
        var headers = new Headers();
        properties.WriteTo(headers);
        return new Envelope { Destination = answer.Destination, Headers = headers, Body = body };
    }

    [LoggerMessage(23, LogLevel.Information, "A message from {Transport} at '{Source}' was rejected: {Reason}")]
    private static partial void LogInvalid(ILogger logger, string transport, string source, string reason);
}
