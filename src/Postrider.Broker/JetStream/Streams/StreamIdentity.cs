using System.Security.Cryptography;
using System.Text;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Distinguishes a stream from an earlier one with the same name: a server that sources from it names the one it means.</summary>
/// <remarks>Source: nats-server's <c>JSStreamIdentity</c>, <c>stream.identity</c> and <c>getHash</c>.</remarks>
internal static class StreamIdentity
{
    private const int Length = 8;
    private const string Digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    private static ReadOnlySpan<byte> Name => "Nats-Stream-Identity"u8;

    /// <summary>A stream's identity: a hash of the moment it was made at.</summary>
    public static string Of(MessageStream stream)
    {
        var hash = SHA256.HashData(Encoding.ASCII.GetBytes(Rfc3339.Format(stream.Created)));
        return string.Create(Length, hash, static (text, bytes) =>
        {
            for (var i = 0; i < text.Length; i++) text[i] = Digits[bytes[i] % Digits.Length];
        });
    }

    /// <summary>Whether a request asks for the identity.</summary>
    public static bool IsIn(ReadOnlySpan<byte> headers) => MessageHeaders.TryFind(headers, Name, out _);

    /// <summary>Whether a request means another stream.</summary>
    public static bool Differs(ReadOnlySpan<byte> headers, string identity)
        => MessageHeaders.TryFind(headers, Name, out var meant) && meant.Length > 0 && !meant.SequenceEqual(Encoding.ASCII.GetBytes(identity));

    /// <summary>The header block of an answer; nothing without an identity.</summary>
    public static byte[] Header(string identity) => identity.Length == 0 ? [] : MessageHeaders.With([], Name, Encoding.ASCII.GetBytes(identity));
}
