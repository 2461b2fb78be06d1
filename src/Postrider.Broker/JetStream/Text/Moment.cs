using System.Buffers.Text;
using System.Globalization;

namespace Postrider.Broker.JetStream.Text;

/// <summary>A time with nanosecond precision, as in requests: years 0 to 9999.</summary>
/// <param name="Seconds">Whole seconds since 1970; negative before it.</param>
/// <param name="Nanoseconds">The fraction: 0 to 999,999,999.</param>
/// <param name="OffsetMinutes">The time zone in which it was given: minutes east of Greenwich.</param>
/// <remarks>Immutable. Source: RFC 3339 as Go's <c>time.Time</c> reads and writes it in JSON, with upper-case <c>T</c> and <c>Z</c>;
/// fractional digits beyond the ninth are cut off.</remarks>
internal readonly record struct Moment(long Seconds, int Nanoseconds, short OffsetMinutes = 0)
{
    private const int NanosecondsPerSecond = 1_000_000_000;
    private const int FractionDigits = 9;
    private const int DateAndTimeLength = 19;
    private const long SecondsPerDay = 86_400;
    private const long DaysFrom0ToUnixEpoch = 719_528;
    private const int DaysIn400Years = 146_097;
    private const int MaxYear = 9999;

    /// <summary>The year 1, which means no time.</summary>
    public static Moment None { get; } = new(-62_135_596_800, 0);

    /// <summary>Whether it means no time.</summary>
    public bool IsNone => this == None;

    /// <summary>The time that is a number of nanoseconds after 1970.</summary>
    public static Moment Of(long nanoseconds)
    {
        var (seconds, rest) = Math.DivRem(nanoseconds, NanosecondsPerSecond);
        return rest < 0 ? new Moment(seconds - 1, (int)rest + NanosecondsPerSecond) : new Moment(seconds, (int)rest);
    }

    /// <summary>Parses RFC 3339.</summary>
    /// <returns>False for anything else.</returns>
    public static bool TryParse(ReadOnlySpan<byte> text, out Moment moment)
    {
        moment = default;
        if (text.Length <= DateAndTimeLength || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' || text[16] != ':') return false;
        if (!TryNumber(text[..4], MaxYear, out var year) || !TryNumber(text[5..7], 12, out var month) || !TryNumber(text[8..10], 31, out var day)) return false;
        if (!TryNumber(text[11..13], 23, out var hour) || !TryNumber(text[14..16], 59, out var minute) || !TryNumber(text[17..19], 59, out var second)) return false;
        if (month == 0 || day == 0 || day > DaysIn(year, month)) return false;
        var rest = text[DateAndTimeLength..];
        if (!TryFraction(ref rest, out var nanoseconds) || !TryOffset(rest, out var offset)) return false;
        moment = new Moment(DaysSinceEpoch(year, month, day) * SecondsPerDay + (hour * 60L + minute - offset) * 60 + second, nanoseconds, (short)offset);
        return true;
    }

    /// <summary>Nanoseconds since 1970; the nearest that fits for times before 1677 and after 2262.</summary>
    public long ToNanoseconds()
    {
        var nanoseconds = (Int128)Seconds * NanosecondsPerSecond + Nanoseconds;
        return nanoseconds > long.MaxValue ? long.MaxValue : nanoseconds < long.MinValue ? long.MinValue : (long)nanoseconds;
    }

    /// <summary>The same time in UTC.</summary>
    public Moment ToUtc() => this with { OffsetMinutes = 0 };

    /// <summary>Writes RFC 3339 with as many fractional digits as needed.</summary>
    public override string ToString()
    {
        var days = Math.DivRem(Seconds + OffsetMinutes * 60L, SecondsPerDay, out var second);
        if (second < 0) (days, second) = (days - 1, second + SecondsPerDay);
        DateOf(days, out var year, out var month, out var day);
        var text = string.Create(
            CultureInfo.InvariantCulture, $"{year:D4}-{month:D2}-{day:D2}T{second / 3600:D2}:{second / 60 % 60:D2}:{second % 60:D2}");
        if (Nanoseconds != 0) text += "." + Nanoseconds.ToString("D9", CultureInfo.InvariantCulture).TrimEnd('0');
        if (OffsetMinutes == 0) return text + "Z";
        var offset = Math.Abs((int)OffsetMinutes);
        return string.Create(CultureInfo.InvariantCulture, $"{text}{(OffsetMinutes < 0 ? '-' : '+')}{offset / 60:D2}:{offset % 60:D2}");
    }

    private static bool TryNumber(ReadOnlySpan<byte> digits, int max, out int value)
        => Utf8Parser.TryParse(digits, out value, out var consumed) && consumed == digits.Length && digits[0] is >= (byte)'0' and <= (byte)'9' && value <= max;

    private static bool TryFraction(ref ReadOnlySpan<byte> rest, out int nanoseconds)
    {
        nanoseconds = 0;
        if (rest[0] is not ((byte)'.' or (byte)',')) return true;
        var count = rest[1..].IndexOfAnyExceptInRange((byte)'0', (byte)'9');
        if (count <= 0) return false;
        for (var i = 0; i < FractionDigits; i++) nanoseconds = nanoseconds * 10 + (i < count ? rest[1 + i] - '0' : 0);
        rest = rest[(1 + count)..];
        return true;
    }

    private static bool TryOffset(ReadOnlySpan<byte> text, out int minutes)
    {
        minutes = 0;
        if (text is [(byte)'Z']) return true;
        if (text.Length != 6 || text[0] is not ((byte)'+' or (byte)'-') || text[3] != ':') return false;
        if (!TryNumber(text[1..3], 23, out var hours) || !TryNumber(text[4..6], 59, out var rest)) return false;
        minutes = (hours * 60 + rest) * (text[0] == '-' ? -1 : 1);
        return true;
    }

    private static bool IsLeap(long year) => year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

    private static int DaysIn(int year, int month) => month == 2 ? IsLeap(year) ? 29 : 28 : month is 4 or 6 or 9 or 11 ? 30 : 31;

    // DateTime begins with the year 1; the Gregorian calendar repeats every 400 years.
    private static long DaysSinceEpoch(int year, int month, int day)
    {
        var cycles = Math.DivRem(year, 400, out var place);
        return (new DateTime(place + 400, month, day, 0, 0, 0, DateTimeKind.Utc) - DateTime.UnixEpoch).Days + (cycles - 1) * (long)DaysIn400Years;
    }

    private static void DateOf(long days, out long year, out int month, out int day)
    {
        var (cycles, rest) = Math.DivRem(days + DaysFrom0ToUnixEpoch, DaysIn400Years);
        if (rest < 0) (cycles, rest) = (cycles - 1, rest + DaysIn400Years);
        var date = DateTime.UnixEpoch.AddDays(rest + DaysIn400Years - DaysFrom0ToUnixEpoch);
        (year, month, day) = (date.Year - 400 + cycles * 400, date.Month, date.Day);
    }
}
