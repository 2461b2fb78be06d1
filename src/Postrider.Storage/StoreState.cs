namespace Postrider.Storage;

/// <summary>The state of a store at one moment.</summary>
/// <param name="Messages">Messages in it.</param>
/// <param name="Bytes">Their bytes, counted as nats-server counts them.</param>
/// <param name="FirstSequence">Sequence of the oldest; one more than the last when there is none; 0 when nothing was ever stored.</param>
/// <param name="FirstTimestamp">Nanoseconds since 1970; 0 when there is no message.</param>
/// <param name="LastSequence">The highest sequence given away.</param>
/// <param name="LastTimestamp">Nanoseconds since 1970 of the newest message stored; 0 when nothing was.</param>
/// <param name="Subjects">Different subjects.</param>
internal readonly record struct StoreState(
    long Messages,
    long Bytes,
    ulong FirstSequence,
    long FirstTimestamp,
    ulong LastSequence,
    long LastTimestamp,
    int Subjects)
{
    /// <summary>Sequences between the first and the last that hold no message.</summary>
    public long Deleted => Messages == 0 ? 0 : (long)Math.Min(LastSequence - FirstSequence + 1, long.MaxValue) - Messages;
}
