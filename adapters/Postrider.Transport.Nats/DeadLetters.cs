using System.Globalization;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Envelopes;

namespace Postrider.Transport.Nats;

/// <summary>Publishes dead letters, where they can be examined.</summary>
internal sealed class DeadLetters(JetStreamContext streams, string subject)
{
    private const int MaxErrorChars = 1024;

    // Theirs is the first publish of the message: expectations, ids and times to live do not hold for the second.
    private const string ServerHeaders = "Nats-";

    /// <summary>Stores a message.</summary>
    /// <returns>Done when a stream has it. The same message twice is stored once.</returns>
    /// <exception cref="NatsClientException">It is not stored.</exception>
    public async ValueTask StoreAsync(JetStreamMessage<ReadOnlyMemory<byte>> message, DeadLetterReason reason, Exception failure, CancellationToken ct)
    {
        var metadata = message.Metadata;
        // A stream that was deleted and created again counts from 1 again: the time distinguishes its messages from the old ones.
        var id = string.Create(CultureInfo.InvariantCulture, $"dead.{metadata.Stream}.{metadata.Consumer}.{metadata.StreamSequence}.{metadata.Time.Ticks}");
        await streams.PublishAsync(subject, message.Data, new PublishOptions { MessageId = id }, HeadersOf(message, reason, failure), ct: ct).ConfigureAwait(false);
    }

    private static NatsHeaders HeadersOf(JetStreamMessage<ReadOnlyMemory<byte>> message, DeadLetterReason reason, Exception failure)
    {
        var metadata = message.Metadata;
        var headers = new NatsHeaders();
        foreach (var (name, value) in message.Headers ?? [])
            if (!name.StartsWith(ServerHeaders, StringComparison.OrdinalIgnoreCase)) headers.Add(name, value);
        headers[DeadLetterHeaders.Reason] = reason.ToString();
        headers[DeadLetterHeaders.Subject] = message.Subject;
        headers[DeadLetterHeaders.Stream] = metadata.Stream;
        headers[DeadLetterHeaders.Consumer] = metadata.Consumer;
        headers[DeadLetterHeaders.Sequence] = metadata.StreamSequence.ToString(CultureInfo.InvariantCulture);
        headers[DeadLetterHeaders.Deliveries] = metadata.DeliveryCount.ToString(CultureInfo.InvariantCulture);
        headers[HeaderNames.Error] = OneLine(failure.Message);
        headers[HeaderNames.ErrorCode] = failure is PostriderException known ? known.Error.ToString() : failure.GetType().Name;
        return headers;
    }

    private static string OneLine(string text)
    {
        var line = text.ReplaceLineEndings(" ");
        return line.Length <= MaxErrorChars ? line : line[..MaxErrorChars];
    }
}
