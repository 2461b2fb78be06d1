using System.Buffers;
using System.Text;
using Postrider.Client.Payloads;
using Postrider.Serialization;
using Postrider.Wire.Frames;

namespace Postrider.Client;

// The protocol's name: a header block is called headers.
#pragma warning disable CA1710
/// <summary>The headers of a NATS message: names with one or more values, in order.</summary>
/// <remarks>
/// Names are case-sensitive, because the protocol and its servers compare them so. Received headers are parsed on first access.
/// Not thread-safe while being changed. Source: NATS ADR-4.
/// </remarks>
public sealed class NatsHeaders : HeaderCollection
{
    private static readonly SearchValues<char> NotInValues = SearchValues.Create("\r\n");

    private readonly byte[]? _received;

    /// <summary>Creates an empty collection.</summary>
    public NatsHeaders()
    {
    }

    internal NatsHeaders(ReadOnlySpan<byte> received)
    {
        _received = received.ToArray();
        Status = HeaderBlock.ReadStatus(received);
    }

    /// <summary>The status of a message from the server or JetStream, such as 503; otherwise 0.</summary>
    public int Status { get; }

    /// <summary>The text that follows <see cref="Status"/>, or empty.</summary>
    public string StatusText => _received is null ? "" : Encoding.UTF8.GetString(new HeaderBlock(_received).StatusText);

    /// <inheritdoc/>
    protected override StringComparison NameComparison => StringComparison.Ordinal;

    /// <summary>The size of the block in bytes, 0 when there are no headers.</summary>
    internal int CountBytes()
    {
        if (Count == 0) return 0;
        var bytes = 12;
        foreach (var (name, value) in this) bytes += HeaderBlock.LineBytes(name, value);
        return bytes;
    }

    /// <summary>Writes the block into exactly <see cref="CountBytes"/> bytes.</summary>
    internal void Write(Span<byte> target)
    {
        var position = HeaderBlock.WriteStart(target);
        foreach (var (name, value) in this) position += HeaderBlock.WriteLine(target[position..], name, value);
        "\r\n"u8.CopyTo(target[position..]);
    }

    /// <summary>Throws if the protocol does not allow a name or a value.</summary>
    /// <param name="name">The name: printable ASCII without a colon.</param>
    /// <param name="value">The value, without line breaks.</param>
    /// <exception cref="NatsClientException">The name or the value is invalid: <see cref="NatsErrorCode.InvalidArgument"/>.</exception>
    protected override void Validate(string name, string value)
    {
        if (name.Length == 0 || name.Contains(':', StringComparison.Ordinal) || name.AsSpan().ContainsAnyExceptInRange('!', '~'))
            throw new NatsClientException(NatsErrorCode.InvalidArgument, $"Header name '{name}' may only contain printable ASCII characters, without spaces and colons.");
        if (value.AsSpan().ContainsAny(NotInValues))
            throw new NatsClientException(NatsErrorCode.InvalidArgument, $"The value of header '{name}' contains a line break.");
    }

    /// <inheritdoc/>
    protected override KeyValuePair<string, string>[] Load()
    {
        if (_received is null) return [];
        var count = 0;
        var block = new HeaderBlock(_received);
        while (block.TryReadNext(out _, out _)) count++;
        if (count == 0) return [];

        var pairs = new KeyValuePair<string, string>[count];
        block = new HeaderBlock(_received);
        ReadOnlySpan<byte> previous = default;
        for (var i = 0; block.TryReadNext(out var name, out var value); i++)
        {
            // The identity of a message is often that of its conversation too.
            pairs[i] = HeaderTextCache.Get(name, value, i > 0 && value.SequenceEqual(previous) ? pairs[i - 1].Value : null);
            previous = value;
        }
        return pairs;
    }
}
