namespace Postrider.Load.Traffic;

/// <summary>A MSG or HMSG frame: slices of the reader's buffer, valid until it is asked for more.</summary>
internal readonly ref struct InboundMessage
{
    public ReadOnlySpan<byte> Subject { get; init; }

    public ReadOnlySpan<byte> ReplyTo { get; init; }

    public ReadOnlySpan<byte> Headers { get; init; }

    public ReadOnlySpan<byte> Payload { get; init; }

    /// <summary>A message of the server itself: a status in the header line and nothing else.</summary>
    public bool IsStatus => Headers.Length > 12 && Payload.IsEmpty && Headers[8] == (byte)' ';

    /// <summary>Reads the first frame.</summary>
    /// <param name="bytes">As received, from the beginning of a frame.</param>
    /// <param name="message">The message; one without a subject when the frame is another one.</param>
    /// <param name="line">The frame's first line, without its end.</param>
    /// <returns>Bytes of the frame, 0 when it is not whole yet.</returns>
    public static int TryRead(ReadOnlySpan<byte> bytes, out InboundMessage message, out ReadOnlySpan<byte> line)
    {
        message = default;
        line = default;
        var lineEnd = bytes.IndexOf((byte)'\n');
        if (lineEnd < 1)
            return 0;

        line = bytes[..(lineEnd - 1)];
        if (line.IsEmpty || line[0] is not ((byte)'M' or (byte)'H'))
            return lineEnd + 1;

        var hasHeaders = line[0] == (byte)'H';
        var words = line[(hasHeaders ? 5 : 4)..];
        var total = TakeNumber(ref words);
        var headers = hasHeaders ? TakeNumber(ref words) : 0;
        var length = lineEnd + 1 + total + 2;
        if (bytes.Length < length)
            return 0;

        // Subject, sid and perhaps a reply subject are left.
        var subjectEnd = words.IndexOf((byte)' ');
        var last = words.LastIndexOf((byte)' ');
        message = new InboundMessage
        {
            Subject = words[..subjectEnd],
            ReplyTo = last == subjectEnd ? [] : words[(last + 1)..],
            Headers = bytes.Slice(lineEnd + 1, headers),
            Payload = bytes.Slice(lineEnd + 1 + headers, total - headers),
        };
        return length;
    }

    // The last word, which the others are shortened by.
    private static int TakeNumber(ref ReadOnlySpan<byte> words)
    {
        int number = 0, scale = 1, i = words.Length - 1;
        for (; words[i] != (byte)' '; i--, scale *= 10)
            number += (words[i] - '0') * scale;
        words = words[..i];
        return number;
    }
}
