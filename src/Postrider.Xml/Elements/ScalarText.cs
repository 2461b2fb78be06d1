// Hot path: ElementReader -> this. Allocations: none.
using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Numerics;
using System.Text;

namespace Postrider.Xml.Elements;

/// <summary>Reads scalars in the most common forms; other forms may still be valid.</summary>
internal static class ScalarText
{
    // Fits 64 bits without overflow.
    private const int MaxDigits = 18;
    private const int GuidBytes = 36;
    private const int SecondBytes = 19;
    private const int MaxFractionDigits = 7;

    /// <summary>An integer of 32 or 64 bits.</summary>
    public static bool TryReadInteger<T>(ReadOnlySpan<byte> text, [MaybeNullWhen(false)] out T value)
        where T : IBinaryInteger<T>
    {
        value = T.Zero;
        var isLong = typeof(T) == typeof(long);
        if (!isLong && typeof(T) != typeof(int))
            return false;
        var digits = text.Length > 0 && text[0] == '-' ? text[1..] : text;
        if (digits.IsEmpty || digits.Length > (isLong ? MaxDigits : 9) || !TryReadDigits(digits, out var number))
            return false;
        value = T.CreateTruncating(digits.Length < text.Length ? -(long)number : (long)number);
        return true;
    }

    /// <summary>A decimal number of up to 18 digits.</summary>
    public static bool TryReadDecimal(ReadOnlySpan<byte> text, out decimal value)
    {
        value = 0;
        var isNegative = text.Length > 0 && text[0] == '-';
        if (isNegative)
            text = text[1..];
        if (text.IsEmpty || text.Length > MaxDigits)
            return false;
        ulong number = 0;
        var point = -1;
        for (var i = 0; i < text.Length; i++)
        {
            var digit = (uint)(text[i] - '0');
            if (digit <= 9)
                number = (number * 10) + digit;
            else if (text[i] == '.' && point < 0 && i > 0)
                point = i;
            else
                return false;
        }

        // A sign of zero and a trailing point are left to the caller.
        var scale = point < 0 ? 0 : text.Length - 1 - point;
        if (number == 0 || (point >= 0 && scale == 0))
            return false;
        value = new decimal((int)number, (int)(number >> 32), 0, isNegative, (byte)scale);
        return true;
    }

    /// <summary>A Guid: 32 digits with four hyphens, no other form.</summary>
    public static bool TryReadGuid(ReadOnlySpan<byte> text, out Guid value)
    {
        value = default;
        if (text.Length != GuidBytes || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-')
            return false;
        Span<byte> digits = stackalloc byte[32];
        text[..8].CopyTo(digits);
        text.Slice(9, 4).CopyTo(digits[8..]);
        text.Slice(14, 4).CopyTo(digits[12..]);
        text.Slice(19, 4).CopyTo(digits[16..]);
        text.Slice(24, 12).CopyTo(digits[20..]);
        Span<byte> bytes = stackalloc byte[16];
        if (Convert.FromHexString(digits, bytes, out _, out _) != OperationStatus.Done)
            return false;
        value = new Guid(bytes, bigEndian: true);
        return true;
    }

    /// <summary>A date and time, universal or without a zone.</summary>
    public static bool TryReadTime(ReadOnlySpan<byte> text, out DateTime value)
    {
        value = default;
        if (text.Length < SecondBytes || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' || text[16] != ':'
            || !TryReadDigits(text[..4], out var year) || !TryReadDigits(text.Slice(5, 2), out var month) || !TryReadDigits(text.Slice(8, 2), out var day)
            || !TryReadDigits(text.Slice(11, 2), out var hour) || !TryReadDigits(text.Slice(14, 2), out var minute) || !TryReadDigits(text.Slice(17, 2), out var second)
            || year == 0 || month is 0 or > 12 || day == 0 || day > (uint)DateTime.DaysInMonth((int)year, (int)month) || hour > 23 || minute > 59 || second > 59)
            return false;
        var rest = text[SecondBytes..];
        var isUniversal = rest.Length > 0 && rest[^1] == 'Z';
        if (isUniversal)
            rest = rest[..^1];
        ulong ticks = 0;
        if (!rest.IsEmpty)
        {
            if (rest[0] != '.' || rest.Length is 1 or > 1 + MaxFractionDigits || !TryReadDigits(rest[1..], out ticks))
                return false;
            for (var digits = rest.Length - 1; digits < MaxFractionDigits; digits++)
                ticks *= 10;
        }

        value = new DateTime((int)year, (int)month, (int)day, (int)hour, (int)minute, (int)second, isUniversal ? DateTimeKind.Utc : DateTimeKind.Unspecified).AddTicks((long)ticks);
        return true;
    }

    /// <summary>Writes a decimal number of up to 19 digits.</summary>
    public static bool TryWriteDecimal(decimal value, Span<byte> output, out int written)
    {
        Span<int> bits = stackalloc int[4];
        decimal.GetBits(value, bits);
        var number = (uint)bits[0] | ((ulong)(uint)bits[1] << 32);
        var scale = (bits[3] >> 16) & 0xFF;
        written = 0;
        if (bits[2] != 0 || number == 0 || scale > MaxDigits)
            return false;

        // From the end: the fraction, the point, the rest; a number below one has a zero before its point.
        Span<byte> text = stackalloc byte[MaxDigits + 5];
        var at = text.Length;
        for (var digits = 0; number != 0 || digits <= scale; digits++)
        {
            if (digits == scale && scale > 0)
                text[--at] = (byte)'.';
            (number, var digit) = Math.DivRem(number, 10UL);
            text[--at] = (byte)('0' + (int)digit);
        }

        if (bits[3] < 0)
            text[--at] = (byte)'-';
        text[at..].CopyTo(output);
        written = text.Length - at;
        return true;
    }

    /// <summary>Writes a date and time without trailing zeros in the fraction.</summary>
    public static int WriteTime(DateTime value, Span<byte> output)
    {
        value.TryFormat(output, out var length, "O", CultureInfo.InvariantCulture);
        var end = SecondBytes + 1 + MaxFractionDigits;
        var kept = output[..end].TrimEnd((byte)'0').Length;
        if (kept == SecondBytes + 1)
            kept = SecondBytes;
        output[end..length].CopyTo(output[kept..]);
        return length - end + kept;
    }

    /// <summary>The result of a platform conversion of a text.</summary>
    /// <exception cref="XmlDataException"><see cref="XmlError.InvalidValue"/>: the conversion fails.</exception>
    public static T Parse<T>(ReadOnlySpan<byte> text, Func<string, T> parse, int start)
    {
        var known = Encoding.UTF8.GetString(text);
        try
        {
            return parse(known);
        }
        catch (Exception wrong) when (wrong is FormatException or OverflowException or ArgumentException)
        {
            throw new XmlDataException(XmlError.InvalidValue, $"'{ThrowHelper.Shown(Encoding.UTF8.GetBytes(known))}' at byte {start} is not a value of the type in the contract.", start);
        }
    }

    private static bool TryReadDigits(ReadOnlySpan<byte> digits, out ulong number)
    {
        number = 0;
        foreach (var letter in digits)
        {
            var digit = (uint)(letter - '0');
            if (digit > 9)
                return false;
            number = (number * 10) + digit;
        }

        return true;
    }
}
