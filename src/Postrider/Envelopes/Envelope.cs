namespace Postrider.Envelopes;

/// <summary>A message as it is sent between processes: destination, headers and body.</summary>
public sealed class Envelope
{
    /// <summary>The destination, or on arrival the source: a subject, topic or queue, in the format of the transport.</summary>
    public required string Destination { get; init; }

    /// <summary>The destination of the reply, or null if none is expected. Set by the transport on arrival.</summary>
    public string? ReplyTo { get; init; }

    /// <summary>The delivery, if the message arrived from a transport that keeps it until it is settled; otherwise null.</summary>
    public MessageDelivery? Delivery { get; init; }

    /// <summary>Headers; <see cref="HeaderNames"/> lists those that Postrider reads.</summary>
    public Headers Headers
    {
        get => field ??= [];
        init;
    }

    /// <summary>The bytes of the message, in the format of the header <see cref="HeaderNames.ContentType"/>. On arrival valid until the receiver's task completes; on sending until the send completes.</summary>
    public ReadOnlyMemory<byte> Body { get; init; }
}
