namespace Postrider.Storage;

/// <summary>The state of a store at one time.</summary>
/// <param name="Messages">Number of messages.</param>
/// <param name="Bytes">Their size in bytes, counted like nats-server does.</param>
/// <param name="FirstSequence">Sequence of the oldest; one more than the last when there is none; 0 when nothing was ever stored.</param>
/// <param name="FirstTimestamp">Nanoseconds since 1970; 0 when there is no message.</param>
/// <param name="LastSequence">The highest sequence that was assigned.</param>
/// <param name="LastTimestamp">Nanoseconds since 1970 of the newest message stored; 0 when nothing was.</param>
/// <param name="Subjects">Number of different subjects.</param>
internal readonly record struct StoreState(
    long Messages,
    long Bytes,
    ulong FirstSequence,
    long FirstTimestamp,
    ulong LastSequence,
    long LastTimestamp,
    int Subjects)
{
    /// <summary>The number of sequences between the first and the last without a message.</summary>
    public long Deleted => Messages == 0 ? 0 : (long)Math.Min(LastSequence - FirstSequence + 1, long.MaxValue) - Messages;
}
