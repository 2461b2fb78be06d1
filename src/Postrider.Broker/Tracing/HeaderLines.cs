namespace Postrider.Broker.Tracing;

/// <summary>Sets single lines in header blocks.</summary>
/// <remarks>Names are compared byte by byte. Source: nats-server, observed.</remarks>
internal static class HeaderLines
{
    /// <summary>The block with a header as its last line; another line with that name is removed.</summary>
    /// <param name="headers">A whole block, or empty to start one.</param>
    /// <param name="name">The name.</param>
    /// <param name="value">The value.</param>
    public static byte[] Set(ReadOnlySpan<byte> headers, ReadOnlySpan<byte> name, ReadOnlySpan<byte> value)
    {
        var (start, end) = Find(headers, name);
        var before = headers.IsEmpty ? "NATS/1.0\r\n"u8 : headers[..start];
        var after = headers[end..];
        if (after.EndsWith("\r\n"u8)) after = after[..^2];
        else if (after.IsEmpty && before.EndsWith("\r\n\r\n"u8)) before = before[..^2];
        return [.. before, .. after, .. name, .. ": "u8, .. value, .. "\r\n\r\n"u8];
    }

    /// <summary>The block with a header's value replaced in place, or with the header as its last line.</summary>
    /// <param name="headers">A whole block, or empty to start one.</param>
    /// <param name="name">The name.</param>
    /// <param name="value">The value.</param>
    public static byte[] Replace(ReadOnlySpan<byte> headers, ReadOnlySpan<byte> name, ReadOnlySpan<byte> value)
    {
        var (start, end) = Find(headers, name);
        return start == end ? Set(headers, name, value) : [.. headers[..start], .. name, .. ": "u8, .. value, .. "\r\n"u8, .. headers[end..]];
    }

    // The first line with the name, including its end; both positions are at the block's end when there is none.
    private static (int Start, int End) Find(ReadOnlySpan<byte> headers, ReadOnlySpan<byte> name)
    {
        for (var start = headers.IndexOf((byte)'\n') + 1; start > 0 && start < headers.Length;)
        {
            var length = headers[start..].IndexOf((byte)'\n') + 1;
            if (length == 0) length = headers.Length - start;
            var line = headers.Slice(start, length);
            if (line.Length > name.Length && line[name.Length] == ':' && line.StartsWith(name)) return (start, start + length);
            start += length;
        }
        return (headers.Length, headers.Length);
    }
}
