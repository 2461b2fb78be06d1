namespace Postrider.Flow.Pumps;

/// <summary>How far an item came.</summary>
internal enum ItemStep
{
    /// <summary>It has ended; its slot stays with the caller.</summary>
    Settled,

    /// <summary>It waits and keeps its slot; the caller arms it after it has seen to another slot for itself.</summary>
    Suspended,

    /// <summary>It waits without a slot; the caller gives it a reference and arms it.</summary>
    Released,
}
