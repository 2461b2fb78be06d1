using Microsoft.Extensions.Logging;
using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>Reads the CloudEvents that arrive through a binding, and writes the answers in the binding's form.</summary>
/// <param name="transport">The transport.</param>
/// <param name="options">The form of answers.</param>
/// <param name="receiver">Handles the messages.</param>
/// <param name="logger">Logs what is not a valid event.</param>
internal sealed partial class CloudEventReceiver(ITransport transport, CloudEventOptions options, EnvelopeReceiver receiver, ILogger logger)
{
    private readonly CloudEventWriter _answers = new(options, CloudEventNames.PrefixOf(transport.Name), TimeProvider.System);

    internal async ValueTask<Envelope?> ReceiveAsync(Envelope envelope, CancellationToken ct)
    {
        Envelope read;
        try
        {
            read = CloudEventReader.Read(envelope);
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

        var answer = await receiver(read, ct).ConfigureAwait(false);
        if (answer is null || answer.Headers[HeaderNames.Error] is not null)
            return answer;
        var (properties, body) = _answers.Write(MessageProperties.From(answer.Headers), answer.Body);
        var headers = new Headers();
        properties.WriteTo(headers);
        return new Envelope { Destination = answer.Destination, Headers = headers, Body = body };
    }

    [LoggerMessage(23, LogLevel.Information, "A message from {Transport} at '{Source}' was rejected: {Reason}")]
    private static partial void LogInvalid(ILogger logger, string transport, string source, string reason);
}
