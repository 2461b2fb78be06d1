using System.Globalization;

namespace Postrider.Broker.Configuration;

/// <summary>Interprets bare text as a boolean, a number, a date or a string.</summary>
internal static class ConfigScalar
{
    /// <summary>Reads bare text.</summary>
    /// <returns>A bool, long, double, DateTimeOffset or string.</returns>
    internal static object Read(string text, ConfigPosition position)
    {
        if (ReadBoolean(text) is { } boolean)
            return boolean;
        return text[0] switch
        {
            '.' => Fail(position, "Floats must start with a digit"),
            '-' when text.Length == 1 || !char.IsAsciiDigit(text[1]) =>
                Fail(position, text is "-." or ['-', '.', ..] ? "Floats must start with a digit, not '.'." : $"Expected a digit but got '{(text.Length > 1 ? text[1] : ' ')}'."),
            '-' or (>= '0' and <= '9') => ReadNumber(text, position),
            _ => text,
        };
    }

    private static bool? ReadBoolean(string text) => text.ToUpperInvariant() switch
    {
        "TRUE" or "ON" or "YES" => true,
        "FALSE" or "OFF" or "NO" => false,
        _ => null,
    };

    private static object ReadNumber(string text, ConfigPosition position)
    {
        var digits = text.AsSpan(1).IndexOfAnyExceptInRange('0', '9') + 1;
        if (digits == 0)
            return ReadInteger(text, 1, text, position);
        if (Multiplier(text.AsSpan(digits)) is { } multiplier)
            return ReadInteger(text.AsSpan(0, digits), multiplier, text, position);
        if (text[digits] == '.' && digits + 1 == text.Length)
            return Fail(position, "Floats must have a digit after the '.', but got '' instead.");
        if (text[digits] == '.' && text.AsSpan(digits + 1).IndexOfAnyExceptInRange('0', '9') < 0)
            return double.Parse(text, NumberStyles.Float, CultureInfo.InvariantCulture);
        if (DateTimeOffset.TryParseExact(text, "yyyy-MM-ddTHH:mm:ssZ", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var date))
            return date;
        return text;
    }

    private static object ReadInteger(ReadOnlySpan<char> digits, long multiplier, string text, ConfigPosition position)
    {
        if (!Int128.TryParse(digits, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number) || Int128.Abs(number) > long.MaxValue)
            return Fail(position, $"integer '{text}' is out of the range");
        number *= multiplier;
        return number >= long.MinValue && number <= long.MaxValue ? (long)number : Fail(position, $"integer '{text}' is out of the range");
    }

    // k is a thousand; kb, ki and kib are 1024; likewise for the larger units.
    private static long? Multiplier(ReadOnlySpan<char> suffix)
    {
        var power = suffix.IsEmpty ? -1 : "kmgtpe".IndexOf(char.ToLowerInvariant(suffix[0]), StringComparison.Ordinal);
        if (power < 0)
            return null;
        var rest = suffix[1..];
        long? unit = rest.IsEmpty ? 1000
            : rest.Equals("b", StringComparison.OrdinalIgnoreCase) || rest.Equals("i", StringComparison.OrdinalIgnoreCase)
                || rest.Equals("ib", StringComparison.OrdinalIgnoreCase) ? 1024
            : null;
        if (unit is not { } factor)
            return null;
        var multiplier = factor;
        for (; power > 0; power--)
            multiplier *= factor;
        return multiplier;
    }

    private static object Fail(ConfigPosition position, string reason)
    {
        ConfigLexer.Fail(position, reason);
        return null;
    }
}
