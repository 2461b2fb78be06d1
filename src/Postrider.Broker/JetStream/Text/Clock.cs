namespace Postrider.Broker.JetStream.Text;

/// <summary>Nanoseconds since 1970, as streams stamp messages.</summary>
/// <remarks>Thread-safe. Resolution is a tick (100 ns).</remarks>
internal sealed class Clock(TimeProvider time)
{
    private const int NanosecondsPerTick = 100;

    /// <summary>Now.</summary>
    public long Now => FromTicks(time.GetUtcNow().UtcTicks);

    /// <summary>A moment as nanoseconds since 1970.</summary>
    public static long Of(DateTimeOffset moment) => FromTicks(moment.UtcTicks);

    /// <summary>A span as nanoseconds; the longest there is where it is longer.</summary>
    public static long Of(TimeSpan span) => Nanoseconds(span.Ticks);

    /// <summary>The moment a span after another.</summary>
    /// <param name="moment">Nanoseconds since 1970.</param>
    /// <param name="span">Nanoseconds; a negative span gives an earlier moment.</param>
    /// <returns>The sum, or <see cref="long.MaxValue"/>, which never comes, where it would be more.</returns>
    public static long Add(long moment, long span) => span > 0 && moment > long.MaxValue - span ? long.MaxValue : moment + span;

    /// <summary>A duration of the API as nanoseconds.</summary>
    public static long Of(Nanoseconds duration) => duration.Count;

    /// <summary>A moment as nanoseconds since 1970: the nearest that fits.</summary>
    public static long Of(Moment moment) => moment.ToNanoseconds();

    /// <summary>A span of nanoseconds, cut to ticks.</summary>
    public static TimeSpan ToSpan(long nanoseconds) => TimeSpan.FromTicks(nanoseconds / NanosecondsPerTick);

    /// <summary>Nanoseconds since 1970 as a moment, cut to ticks.</summary>
    public static DateTimeOffset ToMoment(long nanoseconds)
        => new(DateTimeOffset.UnixEpoch.Ticks + nanoseconds / NanosecondsPerTick, TimeSpan.Zero);

    private static long FromTicks(long ticks) => Nanoseconds(ticks - DateTimeOffset.UnixEpoch.Ticks);

    // What 64 bits of nanoseconds cannot hold (before 1677, after 2262) is the first or the last moment they can.
    private static long Nanoseconds(long ticks)
        => ticks > long.MaxValue / NanosecondsPerTick ? long.MaxValue
            : ticks < long.MinValue / NanosecondsPerTick ? long.MinValue
            : ticks * NanosecondsPerTick;
}
