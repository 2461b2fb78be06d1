using System.Buffers;
using System.Globalization;
using System.Text;

namespace Postrider.Xml.Elements;

/// <summary>Decodes XML's five predefined entities, and characters by their number.</summary>
internal static class EntityDecoder
{
    /// <summary>Decodes the reference at the start of a text.</summary>
    /// <param name="text">It starts with an ampersand.</param>
    /// <param name="output">Receives the character: never more bytes than the reference has.</param>
    /// <param name="written">How many it has.</param>
    /// <returns>The bytes of the reference; 0 when XML does not define it.</returns>
    public static int Decode(ReadOnlySpan<byte> text, Span<byte> output, out int written)
    {
        written = 0;
        var end = text.IndexOf((byte)';');
        if (end < 2)
            return 0;
        var name = text[1..end];
        var letter = name switch
        {
            [(byte)'l', (byte)'t'] => '<',
            [(byte)'g', (byte)'t'] => '>',
            [(byte)'a', (byte)'m', (byte)'p'] => '&',
            [(byte)'q', (byte)'u', (byte)'o', (byte)'t'] => '"',
            [(byte)'a', (byte)'p', (byte)'o', (byte)'s'] => '\'',
            [(byte)'#', (byte)'x', ..] => Number(name[2..], NumberStyles.AllowHexSpecifier),
            [(byte)'#', ..] => Number(name[1..], NumberStyles.None),
            _ => 0,
        };
        if (letter == 0)
            return 0;
        written = new Rune(letter).EncodeToUtf8(output);
        return end + 1;
    }

    /// <summary>Appends decoded text to rented bytes; they are replaced with a larger array if needed.</summary>
    /// <returns>How long they are now.</returns>
    public static int Append(ReadOnlySpan<byte> text, bool isEscaped, ref byte[] rented, int length)
    {
        if (rented.Length - length < text.Length)
        {
            var larger = ArrayPool<byte>.Shared.Rent(length + text.Length);
            rented.AsSpan(0, length).CopyTo(larger);
            ArrayPool<byte>.Shared.Return(rented);
            rented = larger;
        }

        while (!text.IsEmpty)
        {
            var special = isEscaped ? text.IndexOfAny((byte)'&', (byte)'\r') : text.IndexOf((byte)'\r');
            var plain = special < 0 ? text : text[..special];
            plain.CopyTo(rented.AsSpan(length));
            length += plain.Length;
            if (special < 0)
                break;
            text = text[special..];
            if (text[0] == '&')
            {
                text = text[Decode(text, rented.AsSpan(length), out var written)..];
                length += written;
            }
            else
            {
                // A line end becomes one character, however it was written.
                rented[length++] = (byte)'\n';
                text = text[(text.Length > 1 && text[1] == '\n' ? 2 : 1)..];
            }
        }

        return length;
    }

    /// <summary>The character, or 0 if XML does not allow that number.</summary>
    private static int Number(ReadOnlySpan<byte> digits, NumberStyles style)
        => uint.TryParse(digits, style, CultureInfo.InvariantCulture, out var number) && Rune.IsValid(number)
            && number is 9 or 10 or 13 or (>= 32 and not (0xFFFE or 0xFFFF)) && Rune.IsValid(number) ? (int)number : 0;
}
