namespace Postrider.Client.Sessions;

/// <summary>The range of times that timers accept.</summary>
internal static class TimeLimit
{
    /// <summary>The longest time.</summary>
    public static readonly TimeSpan Max = TimeSpan.FromMilliseconds(int.MaxValue);

    /// <summary>Checks a time that a caller has given.</summary>
    /// <param name="time">The time.</param>
    /// <param name="name">Its name for the error.</param>
    /// <returns>The same time.</returns>
    /// <exception cref="NatsClientException">It is negative or too long.</exception>
    public static TimeSpan Checked(TimeSpan time, string name)
        => time == Timeout.InfiniteTimeSpan || (time >= TimeSpan.Zero && time <= Max)
            ? time
            : throw new NatsClientException(NatsErrorCode.InvalidArgument, $"{name} is {time}; it must be from 0 to {Max}, or infinite.");
}
