namespace Postrider.Load.Traffic;

/// <summary>A MSG or HMSG frame: slices of the reader's buffer, valid until it is asked for more.</summary>
internal readonly ref struct InboundMessage
{
    public ReadOnlySpan<byte> Subject { get; init; }

    public ReadOnlySpan<byte> ReplyTo { get; init; }

    public ReadOnlySpan<byte> Headers { get; init; }

    public ReadOnlySpan<byte> Payload { get; init; }

    /// <summary>A message of the server itself: a status in the header line and nothing else.</summary>
    public bool IsStatus => Headers.Length > 12 && Payload.IsEmpty && Headers[8] == (byte)' ';
}
