namespace Postrider.Flow.Gates;

/// <summary>What timers can do.</summary>
internal static class Timers
{
    /// <summary>The longest due time of a timer, 49 days; a longer wait takes several.</summary>
    public static readonly TimeSpan Longest = TimeSpan.FromMilliseconds(uint.MaxValue - 1);
}
