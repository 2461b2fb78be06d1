namespace Postrider.Storage.Records;

/// <summary>Unsigned numbers with seven bits per byte, low bits first.</summary>
internal static class VariableLength
{
    /// <summary>Maximum number of bytes of one number.</summary>
    public const int MaxBytes = 10;

    /// <summary>Writes a number; the target has room for <see cref="MaxBytes"/>.</summary>
    /// <returns>The number of bytes written.</returns>
    public static int Write(Span<byte> target, ulong value)
    {
        var i = 0;
        while (value >= 0x80)
        {
            target[i++] = (byte)(value | 0x80);
            value >>= 7;
        }

        target[i++] = (byte)value;
        return i;
    }

    /// <summary>Reads a number from the front of <paramref name="bytes"/>; false leaves them unchanged.</summary>
    public static bool TryRead(ref ReadOnlySpan<byte> bytes, out ulong value)
    {
        value = 0;
        for (var i = 0; i < Math.Min(bytes.Length, MaxBytes); i++)
        {
            value |= (ulong)(bytes[i] & 0x7F) << (7 * i);
            if (bytes[i] < 0x80)
            {
                bytes = bytes[(i + 1)..];
                return true;
            }
        }

        return false;
    }
}
