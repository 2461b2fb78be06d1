namespace Postrider.Envelopes;

/// <summary>A message as it crosses a process border: where to, what, headers, bytes.</summary>
public sealed class Envelope
{
    /// <summary>Where it goes or where it arrived: a subject, a topic, a queue; the transport's words.</summary>
    public required string Destination { get; init; }

    /// <summary>Where the answer is expected, or null when none is. Set by the transport on arrival.</summary>
    public string? ReplyTo { get; init; }

    /// <summary>On arrival from a transport that keeps the message until it is settled: this delivery of it; else null.</summary>
    public MessageDelivery? Delivery { get; init; }

    /// <summary>Headers; <see cref="HeaderNames"/> lists those that Postrider reads.</summary>
    public Headers Headers { get; init; } = [];

    /// <summary>The encoded message. On arrival valid until the receiver's task completes; on sending until the send completes.</summary>
    public ReadOnlyMemory<byte> Body { get; init; }
}
