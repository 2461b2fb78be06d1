using System.Buffers.Text;
using Postrider.Wire.Frames;

namespace Postrider.Client.JetStream.Consuming;

/// <summary>Reads the statuses that end a pull. Source: NATS ADR-37; the texts are nats-server's.</summary>
internal static class PullStatus
{
    public const string Deleted = "Consumer Deleted";
    public const string TooLarge = "Message Size Exceeds MaxBytes";

    private const string PushBased = "Consumer is push based";
    private const string Exceeded = "Exceeded ";
    private const string MaxWaiting = "Exceeded MaxWaiting";

    /// <summary>Whether another pull, a little later, may succeed.</summary>
    public static bool IsPassing(string text)
        => text is "Leadership Change" or "Server Shutdown" || text.StartsWith(MaxWaiting, StringComparison.OrdinalIgnoreCase);

    /// <summary>Whether a status 409 is an error, and not just the end of a batch.</summary>
    public static bool IsRefusal(string text)
        => text is Deleted or TooLarge or PushBased || text.StartsWith(Exceeded, StringComparison.OrdinalIgnoreCase);

    /// <summary>A number in a header.</summary>
    /// <returns>Null when the header is absent.</returns>
    public static long? Number(ReadOnlySpan<byte> headers, ReadOnlySpan<byte> name)
    {
        var block = new HeaderBlock(headers);
        while (block.TryReadNext(out var key, out var value))
            if (key.SequenceEqual(name) && Utf8Parser.TryParse(value, out long number, out _)) return number;
        return null;
    }

    public static NatsClientException Error(int status, string text, PullSettings settings)
    {
        var consumer = $"Consumer '{settings.Consumer}' of stream '{settings.Stream}'";
        return status switch
        {
            503 => new NatsClientException(NatsErrorCode.ConsumerEnded, $"{consumer} does not respond: it no longer exists, or it has no leader."),
            409 when text is TooLarge => new NatsClientException(NatsErrorCode.PayloadTooLarge, $"{consumer}: the next message is larger than MaxBytes {settings.MaxBytes}."),
            409 when text is Deleted or PushBased => new NatsClientException(NatsErrorCode.ConsumerEnded, $"{consumer}: {text}."),
            _ => new NatsClientException(NatsErrorCode.InvalidOption, $"{consumer} rejected the pull: {text} (status {status})."),
        };
    }
}
