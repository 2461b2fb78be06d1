namespace Postrider.Broker.JetStream.Text;

/// <summary>A duration as the API represents it, with nanosecond precision.</summary>
/// <param name="Count">Nanoseconds; may be negative.</param>
/// <remarks>Immutable. As a <see cref="TimeSpan"/> it has whole ticks of 100 ns, and at least one unless it is zero, because zero
/// means a default.</remarks>
internal readonly record struct Nanoseconds(long Count)
{
    private const int PerTick = 100;

    /// <summary>The duration in seconds, with fraction.</summary>
    public double TotalSeconds => Count / 1e9;

    /// <summary>The nearest span towards zero.</summary>
    public static implicit operator TimeSpan(Nanoseconds duration) => duration.ToTimeSpan();

    /// <summary>Compares.</summary>
    public static bool operator >(Nanoseconds one, Nanoseconds other) => one.Count > other.Count;

    /// <summary>Compares.</summary>
    public static bool operator <(Nanoseconds one, Nanoseconds other) => one.Count < other.Count;

    /// <summary>The nanoseconds of a span, limited to the maximum.</summary>
    public static Nanoseconds Of(TimeSpan span) => new((long)Int128.Clamp((Int128)span.Ticks * PerTick, long.MinValue, long.MaxValue));

    /// <summary>The nearest span towards zero.</summary>
    public TimeSpan ToTimeSpan() => TimeSpan.FromTicks(Count is > -PerTick and < PerTick ? Math.Sign(Count) : Count / PerTick);
}
