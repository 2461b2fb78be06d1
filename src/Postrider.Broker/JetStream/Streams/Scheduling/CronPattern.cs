using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace Postrider.Broker.JetStream.Streams.Scheduling;

/// <summary>A cron pattern of six fields: second, minute, hour, day of the month, month, day of the week.</summary>
/// <remarks>Each field is <c>*</c>, a number, a range, or a list of those, each with an optional step; months and days also by name. If both
/// days are given, one of them has to match.</remarks>
internal sealed class CronPattern
{
    private const int LastYearsSearched = 5;
    private static readonly string[] Months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
    private static readonly string[] Days = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

    private ulong _seconds;
    private ulong _minutes;
    private ulong _hours;
    private ulong _days;
    private ulong _months;
    private ulong _weekDays;
    private bool _anyDay;
    private bool _anyWeekDay;

    private CronPattern()
    {
    }

    /// <summary>Parses a pattern.</summary>
    public static bool TryParse(string text, [NotNullWhen(true)] out CronPattern? pattern)
    {
        pattern = new CronPattern();
        var fields = text.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return fields.Length == 6
            && TryReadField(fields[0], 0, 59, [], 0, out pattern._seconds, out _)
            && TryReadField(fields[1], 0, 59, [], 0, out pattern._minutes, out _)
            && TryReadField(fields[2], 0, 23, [], 0, out pattern._hours, out _)
            && TryReadField(fields[3], 1, 31, [], 0, out pattern._days, out pattern._anyDay)
            && TryReadField(fields[4], 1, 12, Months, 1, out pattern._months, out _)
            && TryReadField(fields[5], 0, 6, Days, 0, out pattern._weekDays, out pattern._anyWeekDay);
    }

    /// <summary>The first matching time after a given one, or null when there is none for years.</summary>
    /// <param name="after">The given time.</param>
    /// <param name="zone">The time zone of the pattern.</param>
    public DateTimeOffset? Next(DateTimeOffset after, TimeZoneInfo zone)
    {
        var local = TimeZoneInfo.ConvertTime(after, zone).DateTime;
        var at = new DateTime(local.Year, local.Month, local.Day, local.Hour, local.Minute, local.Second, DateTimeKind.Unspecified).AddSeconds(1);
        var end = at.AddYears(LastYearsSearched);
        while (at < end)
        {
            if (!Has(_months, at.Month)) at = new DateTime(at.Year, at.Month, 1, 0, 0, 0, DateTimeKind.Unspecified).AddMonths(1);
            else if (!FitsDay(at)) at = at.Date.AddDays(1);
            else if (!Has(_hours, at.Hour)) at = at.Date.AddHours(at.Hour + 1);
            else if (!Has(_minutes, at.Minute)) at = at.Date.AddHours(at.Hour).AddMinutes(at.Minute + 1);
            else if (!Has(_seconds, at.Second)) at = at.AddSeconds(1);
            else if (zone.IsInvalidTime(at)) at = at.AddMinutes(1);
            else return new DateTimeOffset(at, zone.GetUtcOffset(at)).ToUniversalTime();
        }
        return null;
    }

    private bool FitsDay(DateTime day)
    {
        var ofMonth = Has(_days, day.Day);
        var ofWeek = Has(_weekDays, (int)day.DayOfWeek);
        return _anyDay || _anyWeekDay ? ofMonth && ofWeek : ofMonth || ofWeek;
    }

    private static bool Has(ulong set, int value) => (set & (1UL << value)) != 0;

    private static bool TryReadField(string text, int min, int max, string[] names, int firstName, out ulong set, out bool any)
    {
        set = 0;
        any = false;
        // As in nats-server, an empty part of a list is ignored.
        foreach (var part in text.Split(',', StringSplitOptions.RemoveEmptyEntries))
        {
            var slash = part.IndexOf('/', StringComparison.Ordinal);
            var step = 1;
            if (slash >= 0 && (!TryReadNumber(part[(slash + 1)..], [], 0, out step) || step == 0)) return false;
            var range = slash < 0 ? part : part[..slash];
            var dash = range.IndexOf('-', StringComparison.Ordinal);
            int from, to;
            if (range is "*" or "?")
            {
                (from, to) = (min, max);
                any |= step == 1;
            }
            else if (dash >= 0)
            {
                if (!TryReadNumber(range[..dash], names, firstName, out from) || !TryReadNumber(range[(dash + 1)..], names, firstName, out to)) return false;
            }
            else
            {
                if (!TryReadNumber(range, names, firstName, out from)) return false;
                to = slash < 0 ? from : max;
            }
            if (from < min || to > max || from > to) return false;
            for (long value = from; value <= to; value += step) set |= 1UL << (int)value;
        }
        return set != 0;
    }

    private static bool TryReadNumber(string text, string[] names, int firstName, out int value)
    {
        var name = Array.IndexOf(names, text.ToUpperInvariant());
        value = name + firstName;
        return name >= 0 || int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out value);
    }
}
