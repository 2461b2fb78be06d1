using Postrider.Credentials;

namespace Postrider.Broker.Trust;

/// <summary>The times of day at which a user may be connected.</summary>
internal static class DailyTimes
{
    /// <summary>Whether a user may be connected at a time.</summary>
    /// <param name="settings">The user's times of day and their time zone.</param>
    /// <param name="now">The time.</param>
    /// <param name="until">When the current period ends; null for never.</param>
    /// <returns>Also false for a time zone that is unknown on this machine.</returns>
    public static bool Allow(UserSettings settings, DateTimeOffset now, out DateTimeOffset? until)
    {
        until = null;
        if (settings.Times.Count == 0) return true;
        if (!TryFindZone(settings.TimeZone, out var zone)) return false;
        var local = TimeZoneInfo.ConvertTime(now, zone);
        var time = TimeOnly.FromTimeSpan(local.TimeOfDay);
        foreach (var part in settings.Times)
        {
            if (Remaining(part, time) is not { } remaining) continue;
            var end = now + remaining;
            if (until is null || end > until) until = end;
        }
        return until is not null;
    }

    // The boundaries do not belong to the period, as in nats-server.
    private static TimeSpan? Remaining(DailyTime part, TimeOnly time)
    {
        if (part.Start < time && part.End > time) return part.End - time;
        if (part.Start <= part.End) return null;
        // The period includes midnight; the difference of two times is never negative.
        return part.End > time || part.Start < time ? part.End - time : null;
    }

    private static bool TryFindZone(string? name, out TimeZoneInfo zone)
    {
        zone = TimeZoneInfo.Local;
        return name is null or "" or "Local" || TimeZoneInfo.TryFindSystemTimeZoneById(name, out zone!);
    }
}
