using System.Globalization;
using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>The headers of a dead letter: the message's own and those that describe its failure.</summary>
internal static class DeadLetterHeading
{
    private const int MaxErrorChars = 1024;

    internal static Headers Of(Envelope envelope, MessageDelivery delivery, DeadLetterReason reason, Exception failure)
    {
        var headers = Shortest(envelope, delivery, reason);
        headers[DeadLetterHeaders.Sequence] = delivery.Sequence == 0 ? null : delivery.Sequence.ToString(CultureInfo.InvariantCulture);
        headers[DeadLetterHeaders.Deliveries] = delivery.Count.ToString(CultureInfo.InvariantCulture);
        headers[HeaderNames.Error] = OneLine(failure.Message);
        headers[HeaderNames.ErrorCode] = failure is PostriderException known ? known.Error.ToString() : failure.GetType().Name;
        return headers;
    }

    /// <summary>The message's own headers, and those that are required to list it, to redrive it and to keep the order of its key.</summary>
    internal static Headers Shortest(Envelope envelope, MessageDelivery delivery, DeadLetterReason reason)
    {
        var headers = new Headers();
        foreach (var (name, value) in envelope.Headers)
        {
            // If it failed here as well, the headers describe this failure instead of the previous one.
            if (!name.StartsWith(DeadLetterHeaders.Prefix, StringComparison.OrdinalIgnoreCase) && !string.Equals(name, HeaderNames.ExpiresAt, StringComparison.OrdinalIgnoreCase))
                headers.Add(name, value);
        }

        headers[DeadLetterHeaders.Reason] = reason.ToString();
        headers[DeadLetterHeaders.Subject] = envelope.Destination;
        headers[DeadLetterHeaders.Stream] = delivery.Store;
        headers[DeadLetterHeaders.Consumer] = delivery.Consumer;
        return headers;
    }

    // The same message twice has one dead letter. A stream that was deleted and created again counts from 1 again: the time
    // distinguishes its messages from the old ones.
    internal static string? IdOf(MessageDelivery delivery)
        => delivery.Sequence == 0
            ? null
            : string.Create(CultureInfo.InvariantCulture, $"dead.{delivery.Store}.{delivery.Consumer}.{delivery.Sequence}.{delivery.StoredAt?.Ticks}");

    private static string OneLine(string text)
    {
        var line = text.ReplaceLineEndings(" ");
        return line.Length <= MaxErrorChars ? line : line[..MaxErrorChars];
    }
}
