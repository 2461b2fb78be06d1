namespace Postrider.Broker.JetStream.Text;

/// <summary>Finds and changes single lines of header blocks.</summary>
/// <remarks>As in nats-server, names are compared byte by byte, and a line is between two CRLF: a line feed alone belongs to a value.</remarks>
internal static class MessageHeaders
{
    private const int LineEndBytes = 2;

    private static ReadOnlySpan<byte> LineEnd => "\r\n"u8;

    private static ReadOnlySpan<byte> Version => "NATS/1.0"u8;

    private static ReadOnlySpan<byte> FirstLine => "NATS/1.0\r\n"u8;

    /// <summary>Finds the first line with a name.</summary>
    /// <param name="headers">A whole block, or empty.</param>
    /// <param name="name">The name without its colon.</param>
    /// <param name="value">The value without the blanks before it; those after it belong to it.</param>
    public static bool TryFind(ReadOnlySpan<byte> headers, ReadOnlySpan<byte> name, out ReadOnlySpan<byte> value)
    {
        if (!TryFindLine(headers, name, out var start, out var end))
        {
            value = default;
            return false;
        }
        value = headers[(start + name.Length + 1)..end];
        if (value.EndsWith(LineEnd)) value = value[..^LineEndBytes];
        value = value.TrimStart((byte)' ');
        return true;
    }

    /// <summary>The block without the lines with a name; empty when no other line is left.</summary>
    public static byte[] Without(ReadOnlySpan<byte> headers, ReadOnlySpan<byte> name)
    {
        var rest = headers.ToArray();
        if (!TryFindLine(rest, name, out _, out _)) return rest;
        while (TryFindLine(rest, name, out var start, out var end)) rest = [.. rest.AsSpan(0, start), .. rest.AsSpan(end)];
        return rest.Length - EndOfLine(rest, 0) <= LineEndBytes ? [] : rest;
    }

    /// <summary>The block without the lines whose names have a prefix; empty when no line is left.</summary>
    public static byte[] WithoutPrefix(ReadOnlySpan<byte> headers, ReadOnlySpan<byte> prefix)
    {
        var kept = new List<byte>(headers.Length);
        var lines = 0;
        for (var start = 0; start < headers.Length;)
        {
            var end = EndOfLine(headers, start);
            if (!headers[start..].StartsWith(prefix))
            {
                kept.AddRange(headers[start..end]);
                lines++;
            }
            start = end;
        }
        // The first line and the empty one are not headers.
        return lines <= 2 ? [] : [.. kept];
    }

    /// <summary>The block with a line added at its end; an empty one becomes a block.</summary>
    public static byte[] With(ReadOnlySpan<byte> headers, ReadOnlySpan<byte> name, ReadOnlySpan<byte> value)
        => [.. WithoutEnd(headers), .. name, .. ": "u8, .. value, .. "\r\n\r\n"u8];

    /// <summary>The block without the status in its first line, which tells a client that the server sent it; empty when nothing else is left.</summary>
    public static ReadOnlySpan<byte> WithoutStatus(ReadOnlySpan<byte> headers)
        => headers.StartsWith(FirstLine) || !headers.StartsWith(Version) ? headers : WithoutStatusText(headers);

    /// <summary>The block without the empty line at its end, so that lines can be appended to it; the first line of a new block if it has none.</summary>
    /// <remarks>A client may send a block of one or two bytes: it contains nothing to which a line can be appended.</remarks>
    public static ReadOnlySpan<byte> WithoutEnd(ReadOnlySpan<byte> headers) => headers.Length > LineEndBytes ? headers[..^LineEndBytes] : FirstLine;

    private static ReadOnlySpan<byte> WithoutStatusText(ReadOnlySpan<byte> headers)
    {
        var end = headers.IndexOf((byte)'\r');
        if (end <= Version.Length) return headers;
        return headers[end..].SequenceEqual("\r\n\r\n"u8) ? [] : (byte[])[.. Version, .. headers[end..]];
    }

    // The range of the line, including its end.
    private static bool TryFindLine(ReadOnlySpan<byte> headers, ReadOnlySpan<byte> name, out int start, out int end)
    {
        // The first line is the version.
        start = end = EndOfLine(headers, 0);
        while (start < headers.Length)
        {
            end = EndOfLine(headers, start);
            var line = headers[start..end];
            if (line.Length > name.Length && line[name.Length] == ':' && line.StartsWith(name)) return true;
            start = end;
        }
        return false;
    }

    // The place after a line and its end.
    private static int EndOfLine(ReadOnlySpan<byte> headers, int start)
    {
        var length = headers[start..].IndexOf(LineEnd);
        return length < 0 ? headers.Length : start + length + LineEndBytes;
    }
}
