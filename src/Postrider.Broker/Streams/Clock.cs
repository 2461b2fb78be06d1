namespace Postrider.Broker.Streams;

/// <summary>Nanoseconds since 1970, as streams stamp messages.</summary>
/// <remarks>Thread-safe. Resolution is a tick (100 ns).</remarks>
internal sealed class Clock(TimeProvider time)
{
    private const int NanosecondsPerTick = 100;

    /// <summary>Now.</summary>
    public long Now => FromTicks(time.GetUtcNow().UtcTicks);

    /// <summary>A moment as nanoseconds since 1970.</summary>
    public static long Of(DateTimeOffset moment) => FromTicks(moment.UtcTicks);

    /// <summary>A span as nanoseconds.</summary>
    public static long Of(TimeSpan span) => span.Ticks * NanosecondsPerTick;

    /// <summary>A span of nanoseconds, cut to ticks.</summary>
    public static TimeSpan ToSpan(long nanoseconds) => TimeSpan.FromTicks(nanoseconds / NanosecondsPerTick);

    /// <summary>Nanoseconds since 1970 as a moment, cut to ticks.</summary>
    public static DateTimeOffset ToMoment(long nanoseconds)
        => new(DateTimeOffset.UnixEpoch.Ticks + nanoseconds / NanosecondsPerTick, TimeSpan.Zero);

    private static long FromTicks(long ticks) => (ticks - DateTimeOffset.UnixEpoch.Ticks) * NanosecondsPerTick;
}
