using System.Runtime.CompilerServices;

namespace Postrider.Flow.Gates;

/// <summary>Limits of timers.</summary>
internal static class Timers
{
    /// <summary>The longest due time of a timer, 49 days; a longer wait uses several.</summary>
    public static readonly TimeSpan MaxDelay = TimeSpan.FromMilliseconds(uint.MaxValue - 1);

    /// <summary>Rejects a delay that exceeds the limit of timers.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is negative or above <see cref="MaxDelay"/>.</exception>
    public static void ThrowIfOutOfRange(TimeSpan delay, [CallerArgumentExpression(nameof(delay))] string? name = null)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(delay, TimeSpan.Zero, name);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(delay, MaxDelay, name);
    }
}
