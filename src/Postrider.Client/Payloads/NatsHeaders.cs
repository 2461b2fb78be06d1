using System.Buffers;
using System.Collections;
using System.Text;
using Postrider.Wire.Frames;

namespace Postrider.Client;

/// <summary>The headers of a message: names with one or more values, in order.</summary>
/// <remarks>
/// Names are case-sensitive, as in the protocol. Received headers are parsed on first access.
/// Not thread-safe while being changed. Source: NATS ADR-4.
/// </remarks>
public sealed class NatsHeaders : IReadOnlyCollection<KeyValuePair<string, string>>
{
    private static readonly SearchValues<char> NotInValues = SearchValues.Create("\r\n");

    private readonly byte[]? _received;
    private List<KeyValuePair<string, string>>? _pairs;

    /// <summary>Creates an empty collection.</summary>
    public NatsHeaders() => _pairs = [];

    internal NatsHeaders(ReadOnlySpan<byte> received)
    {
        _received = received.ToArray();
        Status = HeaderBlock.ReadStatus(received);
    }

    /// <summary>The status of a message from the server or JetStream, such as 503; otherwise 0.</summary>
    public int Status { get; }

    /// <summary>The text that follows <see cref="Status"/>, or empty.</summary>
    public string StatusText => _received is null ? "" : Encoding.UTF8.GetString(new HeaderBlock(_received).StatusText);

    /// <summary>The number of name-value pairs.</summary>
    public int Count => Pairs.Count;

    private List<KeyValuePair<string, string>> Pairs => _pairs ??= Read();

    /// <summary>Gets the first value of a name, or null. Setting replaces all values of the name; null removes them.</summary>
    /// <param name="name">The name, compared exactly.</param>
    /// <exception cref="NatsClientException">The protocol does not allow the name or the value: <see cref="NatsErrorCode.InvalidArgument"/>.</exception>
    public string? this[string name]
    {
        get
        {
            foreach (var pair in Pairs)
                if (pair.Key == name) return pair.Value;
            return null;
        }
        set
        {
            Remove(name);
            if (value is not null) Add(name, value);
        }
    }

    /// <summary>Adds a value and keeps the existing values of the name.</summary>
    /// <param name="name">The name: printable ASCII without a colon.</param>
    /// <param name="value">The value, without line breaks.</param>
    /// <exception cref="NatsClientException">The protocol does not allow the name or the value: <see cref="NatsErrorCode.InvalidArgument"/>.</exception>
    public void Add(string name, string value)
    {
        ArgumentNullException.ThrowIfNull(name);
        ArgumentNullException.ThrowIfNull(value);
        if (name.Length == 0 || name.Contains(':', StringComparison.Ordinal) || name.AsSpan().ContainsAnyExceptInRange('!', '~'))
            throw new NatsClientException(NatsErrorCode.InvalidArgument, $"Header name '{name}' may only contain printable ASCII characters, without spaces and colons.");
        if (value.AsSpan().ContainsAny(NotInValues))
            throw new NatsClientException(NatsErrorCode.InvalidArgument, $"The value of header '{name}' contains a line break.");
        Pairs.Add(new KeyValuePair<string, string>(name, value));
    }

    /// <summary>Gets all values of a name, in order.</summary>
    /// <param name="name">The name, compared exactly.</param>
    /// <returns>The values; empty if there are none.</returns>
    public IReadOnlyList<string> GetValues(string name)
        => [.. Pairs.Where(pair => pair.Key == name).Select(static pair => pair.Value)];

    /// <summary>Removes all values of a name.</summary>
    /// <param name="name">The name, compared exactly.</param>
    /// <returns>Whether there was one.</returns>
    public bool Remove(string name) => Pairs.RemoveAll(pair => pair.Key == name) > 0;

    /// <inheritdoc/>
    public IEnumerator<KeyValuePair<string, string>> GetEnumerator() => Pairs.GetEnumerator();

    /// <inheritdoc/>
    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>The bytes of the block, 0 when there are no headers.</summary>
    internal int CountBytes()
    {
        if (Pairs.Count == 0) return 0;
        var bytes = 12;
        foreach (var (name, value) in Pairs) bytes += HeaderBlock.LineBytes(name, value);
        return bytes;
    }

    /// <summary>Writes the block into exactly <see cref="CountBytes"/> bytes.</summary>
    internal void Write(Span<byte> target)
    {
        var position = HeaderBlock.WriteStart(target);
        foreach (var (name, value) in Pairs) position += HeaderBlock.WriteLine(target[position..], name, value);
        "\r\n"u8.CopyTo(target[position..]);
    }

    private List<KeyValuePair<string, string>> Read()
    {
        var pairs = new List<KeyValuePair<string, string>>();
        var block = new HeaderBlock(_received);
        while (block.TryReadNext(out var name, out var value))
            pairs.Add(new KeyValuePair<string, string>(Encoding.UTF8.GetString(name), Encoding.UTF8.GetString(value)));
        return pairs;
    }
}
