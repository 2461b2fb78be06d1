namespace Postrider.Broker.JetStream.Text;

/// <summary>The time in nanoseconds since 1970, for the timestamps of messages.</summary>
/// <remarks>Thread-safe. Resolution is a tick (100 ns).</remarks>
internal sealed class Clock(TimeProvider time)
{
    private const int NanosecondsPerTick = 100;

    /// <summary>The current time.</summary>
    public long Now => FromTicks(time.GetUtcNow().UtcTicks);

    /// <summary>A time as nanoseconds since 1970.</summary>
    public static long Of(DateTimeOffset moment) => FromTicks(moment.UtcTicks);

    /// <summary>A span as nanoseconds; the maximum if it is longer.</summary>
    public static long Of(TimeSpan span) => Nanoseconds(span.Ticks);

    /// <summary>Adds a span to a time.</summary>
    /// <param name="moment">Nanoseconds since 1970.</param>
    /// <param name="span">Nanoseconds; a negative span gives an earlier time.</param>
    /// <returns>The sum, or <see cref="long.MaxValue"/>, which means never, if it would overflow.</returns>
    public static long Add(long moment, long span) => span > 0 && moment > long.MaxValue - span ? long.MaxValue : moment + span;

    /// <summary>A duration of the API as nanoseconds.</summary>
    public static long Of(Nanoseconds duration) => duration.Count;

    /// <summary>A time as nanoseconds since 1970: the nearest that fits.</summary>
    public static long Of(Moment moment) => moment.ToNanoseconds();

    /// <summary>A span of nanoseconds, cut to ticks.</summary>
    public static TimeSpan ToSpan(long nanoseconds) => TimeSpan.FromTicks(nanoseconds / NanosecondsPerTick);

    /// <summary>Nanoseconds since 1970 as a time, cut to ticks.</summary>
    public static DateTimeOffset ToMoment(long nanoseconds)
        => new(DateTimeOffset.UnixEpoch.Ticks + nanoseconds / NanosecondsPerTick, TimeSpan.Zero);

    private static long FromTicks(long ticks) => Nanoseconds(ticks - DateTimeOffset.UnixEpoch.Ticks);

    // Times that 64 bits of nanoseconds cannot hold (before 1677, after 2262) become the first or the last time that they can.
    private static long Nanoseconds(long ticks)
        => ticks > long.MaxValue / NanosecondsPerTick ? long.MaxValue
            : ticks < long.MinValue / NanosecondsPerTick ? long.MinValue
            : ticks * NanosecondsPerTick;
}
