namespace Postrider.Broker.JetStream.Streams.Publishing;

/// <summary>Fast batches name themselves in the reply subject; they are refused as on a stream that does not allow them.</summary>
internal static class FastBatch
{
    /// <summary>Whether a reply subject belongs to a fast batch.</summary>
    public static bool Matches(ReadOnlySpan<byte> replyTo) => replyTo.EndsWith(".$FI"u8);
}
