using System.Globalization;
using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>A dead letter, as stored by its transport.</summary>
public sealed record DeadLetterMessage
{
    /// <summary>Its place among the dead letters of <see cref="Source"/>, for <see cref="DeadLetterQuery"/>: the sequence in a stream, the
    /// partition and the offset, or the message's id.</summary>
    public required string Id { get; init; }

    /// <summary>The destination that keeps it.</summary>
    public required string Source { get; init; }

    /// <summary>All headers: its own, <see cref="DeadLetterHeaders"/> and the error.</summary>
    public required Headers Headers { get; init; }

    /// <summary>The bytes, as they arrived.</summary>
    public ReadOnlyMemory<byte> Body { get; init; }

    /// <summary>The time when it was stored as a dead letter; null if the transport does not provide it.</summary>
    public DateTimeOffset? StoredAt { get; init; }

    /// <summary>Why it was given up; null if no listener of Postrider's did.</summary>
    public DeadLetterReason? Reason => Enum.TryParse<DeadLetterReason>(Headers[DeadLetterHeaders.Reason], out var reason) ? reason : null;

    /// <summary>The destination at which it arrived; null if it is not known.</summary>
    public string? Origin => Headers[DeadLetterHeaders.Subject];

    /// <summary>The error of the last attempt; null for none.</summary>
    public string? Error => Headers[HeaderNames.Error];

    /// <summary>The number of deliveries; null if it is not known.</summary>
    public long? Deliveries => long.TryParse(Headers[DeadLetterHeaders.Deliveries], CultureInfo.InvariantCulture, out var count) ? count : null;

    /// <summary>The message as it is sent back: without the failure, and with <see cref="DeadLetterHeaders.Redriven"/>, which leads to this
    /// one.</summary>
    /// <returns>Its properties. The id by which repetitions are recognized is that of this dead letter: sent back twice, it is stored once
    /// where the transport can.</returns>
    public MessageProperties ToMessage()
    {
        var headers = new Headers();
        foreach (var (name, value) in Headers)
        {
            if (!name.StartsWith(DeadLetterHeaders.Prefix, StringComparison.OrdinalIgnoreCase) && !Is(name, HeaderNames.Error) && !Is(name, HeaderNames.ErrorCode))
                headers.Add(name, value);
        }

        var place = string.Create(CultureInfo.InvariantCulture, $"{Source}/{Id}");
        headers[DeadLetterHeaders.Redriven] = place;
        return MessageProperties.From(headers) with { DeduplicationId = string.Create(CultureInfo.InvariantCulture, $"redriven.{place}.{StoredAt?.Ticks}") };
    }

    private static bool Is(string name, string known) => string.Equals(name, known, StringComparison.OrdinalIgnoreCase);
}
