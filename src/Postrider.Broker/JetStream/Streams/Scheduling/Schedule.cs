using System.Diagnostics.CodeAnalysis;
using System.Text;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Streams.Scheduling;

/// <summary>When a scheduled message is due: <c>@at</c> a time, <c>@every</c> interval, or by a cron pattern.</summary>
/// <remarks>Source: nats-server, message schedules (NATS ADR-51).</remarks>
internal static class Schedule
{
    /// <summary>Finds the next time of a message's schedule.</summary>
    /// <param name="headers">The message's headers.</param>
    /// <param name="from">The time that intervals start from, in nanoseconds since 1970.</param>
    /// <param name="now">Nanoseconds since 1970; times that were missed are skipped.</param>
    /// <param name="at">When it is due; 0 without a schedule.</param>
    /// <param name="repeats">Whether the schedule repeats.</param>
    /// <returns>The problem, or null.</returns>
    public static ApiError? FindNext(ReadOnlySpan<byte> headers, long from, long now, out long at, out bool repeats)
    {
        at = 0;
        repeats = false;
        TimeZoneInfo? zone = null;
        if (MessageHeaders.TryFind(headers, "Nats-Schedule-Time-Zone"u8, out var zoneName)
            && !TryFindZone(zoneName, out zone))
        {
            return ApiErrors.MessageSchedulesTimeZoneInvalid;
        }
        if (!MessageHeaders.TryFind(headers, "Nats-Schedule"u8, out var value) || value.IsEmpty) return null;
        return TryFindNext(Encoding.UTF8.GetString(value), zone, from, now, out at, out repeats) ? null : ApiErrors.MessageSchedulesPatternInvalid;
    }

    // "Local" is the server's own zone.
    private static bool TryFindZone(ReadOnlySpan<byte> name, [NotNullWhen(true)] out TimeZoneInfo? zone)
    {
        zone = TimeZoneInfo.Local;
        return name.SequenceEqual("Local"u8) || TimeZoneInfo.TryFindSystemTimeZoneById(Encoding.UTF8.GetString(name), out zone);
    }

    private static bool TryFindNext(string pattern, TimeZoneInfo? zone, long from, long now, out long at, out bool repeats)
    {
        at = 0;
        repeats = false;
        if (pattern.StartsWith("@at ", StringComparison.Ordinal))
        {
            var isMoment = Moment.TryParse(Encoding.UTF8.GetBytes(pattern[4..]), out var moment);
            at = moment.ToNanoseconds();
            return zone is null && isMoment;
        }
        repeats = true;
        if (pattern.StartsWith("@every ", StringComparison.Ordinal))
        {
            if (zone is not null || !GoDuration.TryParse(pattern[7..], out var interval, out _) || interval < TimeSpan.FromSeconds(1)) return false;
            at = Clock.Add(RoundToSecond(from), Clock.Of(interval));
            if (at < now) at = Clock.Add(RoundToSecond(now), Clock.Of(interval));
            return true;
        }
        var cron = pattern switch
        {
            "@yearly" or "@annually" => "0 0 0 1 1 *",
            "@monthly" => "0 0 0 1 * *",
            "@weekly" => "0 0 0 * * 0",
            "@daily" or "@midnight" => "0 0 0 * * *",
            "@hourly" => "0 0 * * * *",
            _ => pattern,
        };
        if (!CronPattern.TryParse(cron, out var parsed)) return false;
        if (parsed.Next(Clock.ToMoment(Math.Max(from, now)), zone ?? TimeZoneInfo.Utc) is not { } next) return false;
        at = Clock.Of(next);
        return true;
    }

    private static long RoundToSecond(long nanoseconds) => Clock.Add(nanoseconds, 500_000_000) / 1_000_000_000 * 1_000_000_000;
}
