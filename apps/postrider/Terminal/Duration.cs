using System.CommandLine.Parsing;
using System.Globalization;

namespace Postrider.CommandLine.Terminal;

/// <summary>Durations on the command line, as <c>nats</c> reads them: numbers with units from <c>ns</c> to <c>y</c>, added up.</summary>
internal static class Duration
{
    private const double TicksPerDay = TimeSpan.TicksPerDay;

    internal static TimeSpan? Parse(ArgumentResult argument)
    {
        var text = argument.Tokens.Count > 0 ? argument.Tokens[0].Value : "";
        if (Read(text) is { } duration)
            return duration;
        argument.AddError($"'{text}' is not a duration such as 500ms, 30s, 2h30m or 7d.");
        return null;
    }

    /// <summary>The duration in a text such as <c>2h30m</c>, or null.</summary>
    /// <remarks>Units: ns, us, ms, s, m, h, d (24 h), w (7 d), M (30 d), y (365 d). <c>0</c> needs no unit.</remarks>
    internal static TimeSpan? Read(string text)
    {
        if (text == "0") return TimeSpan.Zero;
        var rest = text.AsSpan();
        var ticks = 0.0;
        while (rest.Length > 0)
        {
            var digits = Length(rest, static c => char.IsAsciiDigit(c) || c == '.');
            if (digits == 0 || !double.TryParse(rest[..digits], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number))
                return null;
            rest = rest[digits..];
            var letters = Length(rest, static c => !char.IsAsciiDigit(c) && c != '.');
            if (TicksOf(rest[..letters]) is not { } unit) return null;
            ticks += number * unit;
            rest = rest[letters..];
        }
        return text.Length > 0 && ticks < TimeSpan.MaxValue.Ticks ? new TimeSpan((long)Math.Round(ticks)) : null;
    }

    /// <summary>A configured duration as text: <c>24h</c>, <c>9m59s</c>, <c>7d</c>. From a minute on, fractions of a second are left out.</summary>
    internal static string Text(TimeSpan duration)
    {
        if (duration < TimeSpan.Zero) return $"-{Text(duration.Negate())}";
        if (duration < TimeSpan.FromSeconds(1)) return Fraction(duration);
        if (duration < TimeSpan.FromMinutes(1)) return $"{duration.TotalSeconds.ToString("0.###", CultureInfo.InvariantCulture)}s";
        // Up to two days, the text is in hours.
        var days = duration.TotalHours >= 48 ? duration.Days : 0;
        var hours = (int)(duration - TimeSpan.FromDays(days)).TotalHours;
        return $"{Part(days, "d")}{Part(hours, "h")}{Part(duration.Minutes, "m")}{Part(duration.Seconds, "s")}";
    }

    /// <summary>A measured time.</summary>
    internal static string Show(TimeSpan duration) => duration.TotalMilliseconds switch
    {
        < 1 => $"{duration.TotalMicroseconds.ToString("0.#", CultureInfo.InvariantCulture)} µs",
        < 1000 => $"{duration.TotalMilliseconds.ToString("0.###", CultureInfo.InvariantCulture)} ms",
        _ => $"{duration.TotalSeconds.ToString("0.###", CultureInfo.InvariantCulture)} s",
    };

    private static string Fraction(TimeSpan duration) => duration.Ticks switch
    {
        0 => "0s",
        < TimeSpan.TicksPerMillisecond => $"{duration.TotalMicroseconds.ToString("0.#", CultureInfo.InvariantCulture)}us",
        _ => $"{duration.TotalMilliseconds.ToString("0.###", CultureInfo.InvariantCulture)}ms",
    };

    private static string Part(int number, string unit) => number == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $"{number}{unit}");

    private static int Length(ReadOnlySpan<char> text, Func<char, bool> belongs)
    {
        var length = 0;
        while (length < text.Length && belongs(text[length]))
            length++;
        return length;
    }

    // M is a month and m a minute; the other units are case-insensitive, as in the nats tool.
    private static double? TicksOf(ReadOnlySpan<char> unit) => unit switch
    {
        "ns" => 1.0 / TimeSpan.NanosecondsPerTick,
        "us" or "µs" or "μs" => TimeSpan.TicksPerMicrosecond,
        "ms" => TimeSpan.TicksPerMillisecond,
        "s" => TimeSpan.TicksPerSecond,
        "m" => TimeSpan.TicksPerMinute,
        "h" => TimeSpan.TicksPerHour,
        "d" or "D" => TicksPerDay,
        "w" or "W" => 7 * TicksPerDay,
        "M" => 30 * TicksPerDay,
        "y" or "Y" => 365 * TicksPerDay,
        _ => null,
    };
}
