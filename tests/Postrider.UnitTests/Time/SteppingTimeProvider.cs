namespace Postrider.UnitTests.Time;

/// <summary>A clock that goes on by one step each time it is looked at.</summary>
public sealed class SteppingTimeProvider(TimeSpan step) : TimeProvider
{
    private long _looks;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => Interlocked.Increment(ref _looks) * step.Ticks;
}
