using System.Text;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Distinguishes a stream from an earlier one with the same name: a server that sources from it names the one it means.</summary>
/// <remarks>Source: nats-server's <c>JSStreamIdentity</c> and <c>stream.identity</c>.</remarks>
internal static class StreamIdentity
{
    private static ReadOnlySpan<byte> Name => "Nats-Stream-Identity"u8;

    /// <summary>A stream's identity: a hash of the moment it was made at.</summary>
    public static string Of(MessageStream stream) => ShortHash.Of(Rfc3339.Format(stream.Created));

    /// <summary>Whether a request asks for the identity.</summary>
    public static bool IsIn(ReadOnlySpan<byte> headers) => MessageHeaders.TryFind(headers, Name, out _);

    /// <summary>Whether a request means another stream.</summary>
    public static bool Differs(ReadOnlySpan<byte> headers, string identity)
        => MessageHeaders.TryFind(headers, Name, out var meant) && meant.Length > 0 && !meant.SequenceEqual(Encoding.ASCII.GetBytes(identity));

    /// <summary>The header block of an answer; nothing without an identity.</summary>
    public static byte[] Header(string identity) => identity.Length == 0 ? [] : MessageHeaders.With([], Name, Encoding.ASCII.GetBytes(identity));

    /// <summary>The identity that an answer's header block gives; empty without one.</summary>
    public static string Read(ReadOnlySpan<byte> headers) => MessageHeaders.TryFind(headers, Name, out var value) ? Encoding.UTF8.GetString(value) : "";

    /// <summary>Adds the identity that a request means to its header block; an empty one asks for the identity.</summary>
    public static byte[] Ask(ReadOnlySpan<byte> headers, string identity) => MessageHeaders.With(headers, Name, Encoding.ASCII.GetBytes(identity));
}
