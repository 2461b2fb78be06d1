namespace Postrider.Broker;

/// <summary>Limits the due times of timers.</summary>
internal static class TimerDue
{
    // The platform's timers accept at most 2^32 - 2 milliseconds; a timer that fires early checks and waits again.
    private static readonly TimeSpan Longest = TimeSpan.FromDays(49);

    /// <summary>A time that the platform's timers accept: the given one, or the longest.</summary>
    public static TimeSpan NoLonger(TimeSpan due) => due < Longest ? due : Longest;
}
