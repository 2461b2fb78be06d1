using System.Text;

namespace Postrider.Sockets.WebSockets;

/// <summary>The head of an HTTP/1.1 request or response. Source: RFC 9112, 2 to 5.</summary>
internal sealed class HttpHead
{
    /// <summary>Maximum length of a head.</summary>
    public const int MaxBytes = 16 * 1024;

    private const int MaxFields = 128;

    private HttpHead(string startLine, IReadOnlyList<KeyValuePair<string, string>> fields) => (StartLine, Fields) = (startLine, fields);

    /// <summary>The first line.</summary>
    public string StartLine { get; }

    /// <summary>The header fields in order.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Fields { get; }

    private static ReadOnlySpan<byte> End => "\r\n\r\n"u8;

    /// <summary>Reads a head.</summary>
    /// <param name="input">Bytes that begin with a head.</param>
    /// <param name="head">The head; null when it is not complete.</param>
    /// <returns>Its length; 0 when it is not complete.</returns>
    /// <exception cref="WebSocketProtocolException">The head is too long or invalid.</exception>
    public static int Read(ReadOnlySpan<byte> input, out HttpHead? head)
    {
        head = null;
        var end = input[..Math.Min(input.Length, MaxBytes)].IndexOf(End);
        if (end < 0)
            return input.Length < MaxBytes ? 0 : throw new WebSocketProtocolException($"the head of the request is longer than {MaxBytes} bytes");
        head = Parse(Encoding.Latin1.GetString(input[..end]));
        return end + End.Length;
    }

    /// <summary>The values of a field, in order.</summary>
    public IEnumerable<string> All(string name)
        => Fields.Where(field => field.Key.Equals(name, StringComparison.OrdinalIgnoreCase)).Select(static field => field.Value);

    /// <summary>The first value of a field; null without one.</summary>
    public string? First(string name) => All(name).FirstOrDefault();

    /// <summary>Whether a field has a comma-separated value, case-insensitively.</summary>
    public bool HasToken(string name, string token)
        => All(name).SelectMany(static value => value.Split(',')).Any(part => part.Trim(' ', '\t').Equals(token, StringComparison.OrdinalIgnoreCase));

    private static HttpHead Parse(string text)
    {
        var lines = text.Split("\r\n");
        if (lines.Length - 1 > MaxFields) throw new WebSocketProtocolException($"the request has more than {MaxFields} header fields");
        var fields = new KeyValuePair<string, string>[lines.Length - 1];
        for (var i = 1; i < lines.Length; i++)
        {
            var colon = lines[i].IndexOf(':', StringComparison.Ordinal);
            // A name ends at its colon, and no line continues on the next one: differing interpretations are how requests are smuggled.
            if (colon <= 0 || lines[i].AsSpan(0, colon).IndexOfAnyInRange('\0', ' ') >= 0 || lines[i].AsSpan().IndexOfAny('\r', '\n', '\0') >= 0)
                throw new WebSocketProtocolException("malformed header field");
            fields[i - 1] = KeyValuePair.Create(lines[i][..colon], lines[i][(colon + 1)..].Trim(' ', '\t'));
        }
        return new HttpHead(lines[0], fields);
    }
}
