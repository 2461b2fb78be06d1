using System.Runtime.CompilerServices;

namespace Postrider.Flow.Gates;

/// <summary>What timers can do.</summary>
internal static class Timers
{
    /// <summary>The longest due time of a timer, 49 days; a longer wait takes several.</summary>
    public static readonly TimeSpan MaxDelay = TimeSpan.FromMilliseconds(uint.MaxValue - 1);

    /// <summary>Refuses a delay that no timer can wait for.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is negative or above <see cref="MaxDelay"/>.</exception>
    public static void ThrowIfOutOfRange(TimeSpan delay, [CallerArgumentExpression(nameof(delay))] string? name = null)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(delay, TimeSpan.Zero, name);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(delay, MaxDelay, name);
    }
}
