namespace Postrider.MessagePack;

/// <summary>A point in time in the range of the specification's timestamp extension (type -1).</summary>
/// <param name="Seconds">Seconds since 1970-01-01T00:00:00Z; negative before that.</param>
/// <param name="Nanoseconds">Nanoseconds after that second, at most 999,999,999.</param>
public readonly record struct MessagePackTimestamp(long Seconds, uint Nanoseconds)
{
    /// <summary>The extension's type code.</summary>
    public const sbyte ExtensionType = -1;

    internal const uint MaxNanoseconds = 999_999_999;
    private const long NanosecondsPerTick = 100;
    private static readonly long s_min = (DateTime.MinValue.Ticks - DateTime.UnixEpoch.Ticks) / TimeSpan.TicksPerSecond;
    private static readonly long s_max = (DateTime.MaxValue.Ticks - DateTime.UnixEpoch.Ticks) / TimeSpan.TicksPerSecond;

    /// <summary>Converts a time to a timestamp; a local time is converted to UTC, an unspecified one is treated as UTC.</summary>
    /// <param name="time">The time.</param>
    /// <returns>Exact: a tick is 100 nanoseconds.</returns>
    public static MessagePackTimestamp FromDateTime(DateTime time)
    {
        var ticks = (time.Kind == DateTimeKind.Local ? time.ToUniversalTime() : time).Ticks;
        var (seconds, rest) = Math.DivRem(ticks, TimeSpan.TicksPerSecond);
        return new(seconds - (DateTime.UnixEpoch.Ticks / TimeSpan.TicksPerSecond), (uint)(rest * NanosecondsPerTick));
    }

    /// <summary>Gets the time in UTC, if <see cref="DateTime"/> can represent it; nanoseconds are truncated to ticks of 100.</summary>
    /// <param name="time">The time.</param>
    /// <returns>True if it is between the years 1 and 9999.</returns>
    public bool TryToDateTime(out DateTime time)
    {
        var isInReach = Seconds >= s_min && Seconds <= s_max && Nanoseconds <= MaxNanoseconds;
        time = isInReach
            ? new(DateTime.UnixEpoch.Ticks + (Seconds * TimeSpan.TicksPerSecond) + (Nanoseconds / NanosecondsPerTick), DateTimeKind.Utc)
            : default;
        return isInReach;
    }
}
