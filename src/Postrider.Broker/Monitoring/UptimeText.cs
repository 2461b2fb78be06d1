namespace Postrider.Broker.Monitoring;

/// <summary>Durations as the pages show them: whole seconds with days and years, <c>1d2h3m4s</c>.</summary>
internal static class UptimeText
{
    private const int DaysPerYear = 365;

    internal static string Format(TimeSpan age)
    {
        var days = (int)age.TotalDays;
        var time = $"{age.Hours}h{age.Minutes}m{age.Seconds}s";
        if (days >= DaysPerYear)
            return $"{days / DaysPerYear}y{days % DaysPerYear}d{time}";
        if (days > 0)
            return $"{days}d{time}";
        if (age.Hours > 0)
            return time;
        return age.Minutes > 0 ? $"{age.Minutes}m{age.Seconds}s" : $"{Math.Max(0, age.Seconds)}s";
    }
}
