namespace Postrider.Credentials.Nkeys;

/// <summary>Base32 without padding.</summary>
/// <remarks>Without tables, so that cache timing reveals nothing about a seed's letters. Source: RFC 4648, section 6.</remarks>
internal static class Base32
{
    /// <summary>The length of the text for a number of bytes.</summary>
    public static int EncodedLength(int bytes) => ((bytes * 8) + 4) / 5;

    /// <summary>Writes bytes as text.</summary>
    /// <param name="bytes">The bytes.</param>
    /// <param name="text">Receives <see cref="EncodedLength"/> characters.</param>
    public static void Encode(ReadOnlySpan<byte> bytes, Span<char> text)
    {
        int held = 0, bits = 0, length = 0;
        foreach (var value in bytes)
        {
            held = ((held << 8) | value) & 0xFFF;
            bits += 8;
            while (bits >= 5)
            {
                bits -= 5;
                text[length++] = Letter((held >> bits) & 31);
            }
        }
        if (bits > 0) text[length] = Letter((held << (5 - bits)) & 31);
    }

    /// <summary>Writes bytes as text.</summary>
    public static string Encode(ReadOnlySpan<byte> bytes)
    {
        Span<char> text = stackalloc char[EncodedLength(bytes.Length)];
        Encode(bytes, text);
        return new string(text);
    }

    /// <summary>Reads text.</summary>
    /// <param name="text">Exactly as many characters as <paramref name="bytes"/> needs.</param>
    /// <param name="bytes">Filled; undefined after false.</param>
    /// <returns>False for another length, other characters, or trailing bits that are not 0.</returns>
    public static bool TryDecode(ReadOnlySpan<char> text, Span<byte> bytes)
    {
        if (text.Length != EncodedLength(bytes.Length)) return false;
        int held = 0, bits = 0, length = 0;
        foreach (var letter in text)
        {
            var value = Value(letter);
            if (value < 0) return false;
            held = ((held << 5) | value) & 0xFFF;
            bits += 5;
            if (bits < 8) continue;
            bits -= 8;
            bytes[length++] = (byte)(held >> bits);
        }
        return (held & ((1 << bits) - 1)) == 0;
    }

    private static char Letter(int value) => (char)(value < 26 ? 'A' + value : '2' + value - 26);

    private static int Value(char letter)
    {
        if (letter is >= 'A' and <= 'Z') return letter - 'A';
        return letter is >= '2' and <= '7' ? letter - '2' + 26 : -1;
    }
}
