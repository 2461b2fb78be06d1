namespace Postrider.Broker;

/// <summary>Bounds of what timers are asked for.</summary>
internal static class TimerDue
{
    // The platform's timers take no more than 2^32 - 2 milliseconds; one that fires early looks and waits again.
    private static readonly TimeSpan Longest = TimeSpan.FromDays(49);

    /// <summary>A time that the platform's timers take: the given one, or the longest.</summary>
    public static TimeSpan NoLonger(TimeSpan due) => due < Longest ? due : Longest;
}
