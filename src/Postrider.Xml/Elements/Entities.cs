using System.Buffers.Text;
using System.Globalization;
using System.Text;

namespace Postrider.Xml.Elements;

/// <summary>XML's own five entities, and characters by their number.</summary>
internal static class Entities
{
    /// <summary>Decodes the reference that a text begins with.</summary>
    /// <param name="text">It begins with an ampersand.</param>
    /// <param name="output">Takes the character: never more bytes than the reference has.</param>
    /// <param name="written">How many it has.</param>
    /// <returns>The bytes of the reference; 0 when it is none that XML knows.</returns>
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

    /// <summary>The character, or 0 when XML has none of that number.</summary>
    private static int Number(ReadOnlySpan<byte> digits, NumberStyles style)
        => uint.TryParse(digits, style, CultureInfo.InvariantCulture, out var number) && Rune.IsValid(number)
            && number is 9 or 10 or 13 or (>= 32 and not (0xFFFE or 0xFFFF)) && Rune.IsValid(number) ? (int)number : 0;
}
