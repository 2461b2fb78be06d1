using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace Postrider.Broker.JetStream.Text;

/// <summary>A whole number of any size in decimal digits: what is read as a text, added, and written again.</summary>
/// <remarks><see cref="System.Numerics.BigInteger"/> converts to binary digits and back, which takes longer than in proportion to
/// the length: a client that counts in numbers of 16,000 digits would keep a loop busy for milliseconds per message.</remarks>
internal readonly struct DecimalInteger
{
    // From the most significant digit, '0' to '9', without leading zeros; null for zero.
    private readonly byte[]? _digits;
    private readonly bool _isNegative;

    private DecimalInteger(byte[]? digits, bool isNegative) => (_digits, _isNegative) = (digits, isNegative && digits is not null);

    private ReadOnlySpan<byte> Digits => _digits;

    /// <summary>Reads a number: digits, with or without a sign before them.</summary>
    /// <param name="text">The number in ASCII.</param>
    /// <param name="value">The number, or zero.</param>
    /// <returns>False for any other text.</returns>
    public static bool TryParse(ReadOnlySpan<byte> text, out DecimalInteger value)
    {
        value = default;
        var isNegative = text is [(byte)'-', ..];
        var digits = isNegative || text is [(byte)'+', ..] ? text[1..] : text;
        if (digits.IsEmpty || digits.ContainsAnyExceptInRange((byte)'0', (byte)'9')) return false;
        value = new DecimalInteger(Trim(digits), isNegative);
        return true;
    }

    /// <inheritdoc cref="TryParse(ReadOnlySpan{byte}, out DecimalInteger)"/>
    public static bool TryParse([NotNullWhen(true)] string? text, out DecimalInteger value)
    {
        value = default;
        return text is not null && TryParse(Encoding.UTF8.GetBytes(text), out value);
    }

    public static DecimalInteger operator +(DecimalInteger left, DecimalInteger right)
    {
        if (left._isNegative == right._isNegative) return new DecimalInteger(Sum(left.Digits, right.Digits), left._isNegative);
        return Compare(left.Digits, right.Digits) >= 0
            ? new DecimalInteger(Difference(left.Digits, right.Digits), left._isNegative)
            : new DecimalInteger(Difference(right.Digits, left.Digits), right._isNegative);
    }

    public static DecimalInteger operator -(DecimalInteger left, DecimalInteger right) => left + new DecimalInteger(right._digits, !right._isNegative);

    /// <summary>The digits, after a minus sign if the number is less than zero.</summary>
    public override string ToString()
    {
        if (_digits is null) return "0";
        var digits = Encoding.ASCII.GetString(_digits);
        return _isNegative ? "-" + digits : digits;
    }

    private static byte[]? Trim(ReadOnlySpan<byte> digits)
    {
        var rest = digits.TrimStart((byte)'0');
        return rest.IsEmpty ? null : rest.ToArray();
    }

    private static int Compare(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right)
        => left.Length != right.Length ? left.Length.CompareTo(right.Length) : left.SequenceCompareTo(right);

    private static byte[]? Sum(ReadOnlySpan<byte> longer, ReadOnlySpan<byte> shorter)
    {
        if (longer.Length < shorter.Length) return Sum(shorter, longer);
        if (longer.IsEmpty) return null;
        var sum = new byte[longer.Length + 1];
        var carry = 0;
        for (var i = 1; i <= longer.Length; i++)
        {
            var digit = longer[^i] - '0' + carry + (i <= shorter.Length ? shorter[^i] - '0' : 0);
            carry = digit >= 10 ? 1 : 0;
            sum[^i] = (byte)('0' + digit - (10 * carry));
        }

        if (carry == 0) return sum[1..];
        sum[0] = (byte)'1';
        return sum;
    }

    // Of a number and one that is not larger.
    private static byte[]? Difference(ReadOnlySpan<byte> larger, ReadOnlySpan<byte> smaller)
    {
        var difference = new byte[larger.Length];
        var borrow = 0;
        for (var i = 1; i <= larger.Length; i++)
        {
            var digit = larger[^i] - '0' - borrow - (i <= smaller.Length ? smaller[^i] - '0' : 0);
            borrow = digit < 0 ? 1 : 0;
            difference[^i] = (byte)('0' + digit + (10 * borrow));
        }

        return Trim(difference);
    }
}
