using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;

namespace Postrider.Broker;

/// <summary>Durations in the text form of nats-server's flags, files and pages: <c>1h30m</c>, <c>2m0s</c>, <c>1.5s</c>, <c>250ms</c>.</summary>
/// <remarks>The resolution is one tick (100 ns): smaller parts are cut off. Source: the documented text form of Go's durations.</remarks>
internal static class GoDuration
{
    private const long TicksPerMicrosecond = TimeSpan.TicksPerMicrosecond;

    private static readonly SearchValues<char> NumberCharacters = SearchValues.Create("0123456789.");

    /// <summary>Reads a duration.</summary>
    /// <param name="text">An optional sign, then numbers each with a unit (<c>ns us µs ms s m h</c>), or <c>0</c>.</param>
    /// <param name="duration">The result; zero when there was an error.</param>
    /// <param name="error">The problem, in nats-server's words.</param>
    internal static bool TryParse(string text, out TimeSpan duration, [NotNullWhen(false)] out string? error)
    {
        duration = default;
        var rest = text.AsSpan();
        var negative = rest is ['-', ..];
        if (rest is ['-' or '+', ..])
            rest = rest[1..];
        if (rest is "0")
            return Succeed(out error);
        if (rest.IsEmpty)
            return Fail($"time: invalid duration {GoQuote.Quote(text)}", out error);

        var total = 0m;
        while (!rest.IsEmpty)
        {
            var digits = rest.IndexOfAnyExcept(NumberCharacters);
            var number = digits < 0 ? rest : rest[..digits];
            if (number.IsEmpty || number is "." || number.Count('.') > 1)
                return Fail($"time: invalid duration {GoQuote.Quote(text)}", out error);
            rest = rest[number.Length..];
            var end = rest.IndexOfAny(NumberCharacters);
            var unit = end < 0 ? rest : rest[..end];
            if (unit.IsEmpty)
                return Fail($"time: missing unit in duration {GoQuote.Quote(text)}", out error);
            if (TicksOf(unit) is not { } ticks)
                return Fail($"time: unknown unit {GoQuote.Quote(unit.ToString())} in duration {GoQuote.Quote(text)}", out error);
            // 18 digits keep the product inside a decimal; Go's int64 nanoseconds overflow before that.
            if (number.Length > 18 || !decimal.TryParse(number, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var value))
                return Fail($"time: invalid duration {GoQuote.Quote(text)}", out error);
            total += value * ticks;
            if (total > long.MaxValue / 100)
                return Fail($"time: invalid duration {GoQuote.Quote(text)}", out error);
            rest = rest[unit.Length..];
        }
        duration = new TimeSpan((long)(negative ? -total : total));
        return Succeed(out error);
    }

    /// <summary>Writes a duration: hours, minutes and seconds, or one smaller unit below a second.</summary>
    internal static string Format(TimeSpan duration)
    {
        if (duration == TimeSpan.Zero)
            return "0s";
        var text = new StringBuilder(duration < TimeSpan.Zero ? "-" : "");
        var ticks = Math.Abs((decimal)duration.Ticks);
        if (ticks < TicksPerMicrosecond)
            return text.Append(Number(ticks * 100)).Append("ns").ToString();
        if (ticks < TimeSpan.TicksPerMillisecond)
            return text.Append(Number(ticks / TicksPerMicrosecond)).Append("µs").ToString();
        if (ticks < TimeSpan.TicksPerSecond)
            return text.Append(Number(ticks / TimeSpan.TicksPerMillisecond)).Append("ms").ToString();

        var hours = decimal.Truncate(ticks / TimeSpan.TicksPerHour);
        var minutes = decimal.Truncate(ticks % TimeSpan.TicksPerHour / TimeSpan.TicksPerMinute);
        if (hours > 0)
            text.Append(Number(hours)).Append('h');
        if (hours > 0 || minutes > 0)
            text.Append(Number(minutes)).Append('m');
        return text.Append(Number(ticks % TimeSpan.TicksPerMinute / TimeSpan.TicksPerSecond)).Append('s').ToString();
    }

    private static string Number(decimal value) => value.ToString("0.#########", CultureInfo.InvariantCulture);

    private static decimal? TicksOf(ReadOnlySpan<char> unit) => unit switch
    {
        "ns" => 0.01m,
        "us" or "µs" or "μs" => TicksPerMicrosecond,
        "ms" => TimeSpan.TicksPerMillisecond,
        "s" => TimeSpan.TicksPerSecond,
        "m" => TimeSpan.TicksPerMinute,
        "h" => TimeSpan.TicksPerHour,
        _ => null,
    };

    private static bool Succeed(out string? error)
    {
        error = null;
        return true;
    }

    private static bool Fail(string reason, out string error)
    {
        error = reason;
        return false;
    }
}
