using System.Text;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Distinguishes a stream from an earlier one with the same name: a server that sources from it names the identity.</summary>
/// <remarks>Source: nats-server, durable sources.</remarks>
internal static class StreamIdentity
{
    private static ReadOnlySpan<byte> Name => "Nats-Stream-Identity"u8;

    /// <summary>A stream's identity: a hash of its creation time.</summary>
    public static string Of(MessageStream stream) => ShortHash.Of(Rfc3339.Format(stream.Created));

    /// <summary>Whether a request asks for the identity.</summary>
    public static bool IsIn(ReadOnlySpan<byte> headers) => MessageHeaders.TryFind(headers, Name, out _);

    /// <summary>Whether a request is for a stream with another identity.</summary>
    public static bool Differs(ReadOnlySpan<byte> headers, string identity)
        => MessageHeaders.TryFind(headers, Name, out var meant) && meant.Length > 0 && !meant.SequenceEqual(Encoding.ASCII.GetBytes(identity));

    /// <summary>The header block of a response; empty without an identity.</summary>
    public static byte[] Header(string identity) => identity.Length == 0 ? [] : MessageHeaders.With([], Name, Encoding.ASCII.GetBytes(identity));

    /// <summary>The identity in a response's header block; empty when there is none.</summary>
    public static string Read(ReadOnlySpan<byte> headers) => MessageHeaders.TryFind(headers, Name, out var value) ? Encoding.UTF8.GetString(value) : "";

    /// <summary>Adds the expected identity to a request's header block; an empty one asks for the identity.</summary>
    public static byte[] Ask(ReadOnlySpan<byte> headers, string identity) => MessageHeaders.With(headers, Name, Encoding.ASCII.GetBytes(identity));
}
