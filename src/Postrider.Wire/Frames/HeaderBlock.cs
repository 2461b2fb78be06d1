// Hot path: the client's NatsHeaders, PendingReply, ConsumerSubscription -> this. Allocations: none (reading), none but the target's (writing).
using System.Buffers.Text;
using System.Text;

namespace Postrider.Wire.Frames;

/// <summary>Reads a header block: <c>NATS/1.0[ status[ text]] CR LF (name: value CR LF)* CR LF</c>.</summary>
/// <remarks>
/// A view of the caller's bytes. As lenient as servers: a line may end in LF only, a line without a colon is skipped,
/// spaces around a value are dropped. Names keep their case and may repeat. Source: NATS ADR-4.
/// </remarks>
public ref struct HeaderBlock
{
    private readonly ReadOnlySpan<byte> _block;
    private int _position;

    /// <summary>Parses the first line.</summary>
    /// <param name="block">The whole block; an empty one has no headers.</param>
    public HeaderBlock(ReadOnlySpan<byte> block)
    {
        _block = block;
        IsValid = block.StartsWith(Version);
        if (!IsValid) return;
        var line = NextLine()[Version.Length..].Trim((byte)' ');
        if (!Utf8Parser.TryParse(line, out int status, out var used) || used != 3) return;
        Status = status;
        StatusText = line[used..].TrimStart((byte)' ');
    }

    /// <summary>The first line of a block without a status.</summary>
    public static ReadOnlySpan<byte> Version => "NATS/1.0"u8;

    /// <summary>Whether the block starts with <see cref="Version"/>.</summary>
    public bool IsValid { get; }

    /// <summary>The status in the first line, 100 to 999; 0 if there is none.</summary>
    public int Status { get; }

    /// <summary>The text after the status; empty if there is none.</summary>
    public ReadOnlySpan<byte> StatusText { get; }

    /// <summary>Reads the status of a block without reading the rest.</summary>
    /// <param name="block">The whole block.</param>
    /// <returns>100 to 999; 0 if there is none.</returns>
    public static int ReadStatus(ReadOnlySpan<byte> block)
        => block.Length > 12 && block[8] == ' ' && block[0] == 'N' && Utf8Parser.TryParse(block.Slice(9, 3), out int status, out var used) && used == 3
            ? status
            : 0;

    /// <summary>Reads the next header.</summary>
    /// <param name="name">The name as written.</param>
    /// <param name="value">The value without blanks around it.</param>
    /// <returns>False at the block's end.</returns>
    public bool TryReadNext(out ReadOnlySpan<byte> name, out ReadOnlySpan<byte> value)
    {
        while (IsValid && _position < _block.Length)
        {
            var line = NextLine();
            if (line.IsEmpty) break;
            var colon = line.IndexOf((byte)':');
            if (colon <= 0) continue;
            name = line[..colon];
            value = line[(colon + 1)..].Trim(" \t"u8);
            return true;
        }
        name = value = default;
        return false;
    }

    /// <summary>The bytes of one header line in a block.</summary>
    /// <param name="name">The name.</param>
    /// <param name="value">The value.</param>
    /// <returns>The number of bytes, with separator and line end.</returns>
    public static int LineBytes(string name, string value)
        => Encoding.UTF8.GetByteCount(name) + 2 + Encoding.UTF8.GetByteCount(value) + 2;

    /// <summary>Writes the first line of a block.</summary>
    /// <param name="target">At least 10 bytes.</param>
    /// <returns>The bytes written.</returns>
    public static int WriteStart(Span<byte> target)
    {
        "NATS/1.0\r\n"u8.CopyTo(target);
        return 10;
    }

    /// <summary>Writes one header line.</summary>
    /// <param name="target">At least <see cref="LineBytes"/> bytes.</param>
    /// <param name="name">The name; not checked.</param>
    /// <param name="value">The value; not checked.</param>
    /// <returns>The bytes written.</returns>
    public static int WriteLine(Span<byte> target, string name, string value)
    {
        var position = Encoding.UTF8.GetBytes(name, target);
        target[position++] = (byte)':';
        target[position++] = (byte)' ';
        position += Encoding.UTF8.GetBytes(value, target[position..]);
        "\r\n"u8.CopyTo(target[position..]);
        return position + 2;
    }

    private ReadOnlySpan<byte> NextLine()
    {
        var rest = _block[_position..];
        var lineFeed = rest.IndexOf((byte)'\n');
        _position += lineFeed < 0 ? rest.Length : lineFeed + 1;
        return (lineFeed < 0 ? rest : rest[..lineFeed]).TrimEnd((byte)'\r');
    }
}
