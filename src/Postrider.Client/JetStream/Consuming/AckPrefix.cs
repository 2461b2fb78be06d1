using System.Text;

namespace Postrider.Client.JetStream.Consuming;

/// <summary>The prefix of the reply subjects of one consumer: <c>$JS.ACK.[domain.account.]stream.consumer.</c></summary>
internal sealed class AckPrefix
{
    private const int PlainTokens = 5;
    private const int DomainTokens = 7;

    private AckPrefix(byte[] bytes, string[] tokens)
    {
        Bytes = bytes;
        // A server without a domain writes an underscore.
        Domain = tokens.Length == DomainTokens && tokens[2] != "_" ? tokens[2] : null;
        Stream = tokens[^3];
        Consumer = tokens[^2];
    }

    public byte[] Bytes { get; }

    public string? Domain { get; }

    public string Stream { get; }

    public string Consumer { get; }

    /// <summary>Parses the front of a reply subject.</summary>
    /// <returns>Null when it is not from a consumer.</returns>
    public static AckPrefix? Read(ReadOnlySpan<byte> replyTo)
    {
        if (!replyTo.StartsWith("$JS.ACK."u8)) return null;
        var dots = replyTo.Count((byte)'.');
        // Stream, consumer and five numbers; with a domain there may be more after the numbers.
        if (dots != 8 && dots < 10) return null;
        var length = 0;
        var names = dots == 8 ? PlainTokens - 1 : DomainTokens - 1;
        for (var i = 0; i < names; i++) length += replyTo[length..].IndexOf((byte)'.') + 1;
        var bytes = replyTo[..length].ToArray();
        return new AckPrefix(bytes, Encoding.UTF8.GetString(bytes).Split('.'));
    }
}
