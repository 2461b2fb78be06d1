namespace Postrider.Flow.Pumps;

/// <summary>The state of an item after a step.</summary>
internal enum ItemStep
{
    /// <summary>It has ended; the caller keeps its slot.</summary>
    Settled,

    /// <summary>It waits and keeps its slot; the caller arms it after obtaining another slot for itself.</summary>
    Suspended,

    /// <summary>It waits without a slot; the caller gives it a reference and arms it.</summary>
    Released,
}
