namespace Postrider.Benchmarks.Turns;

/// <summary>What operations asked of the managed heap, on all threads of the process.</summary>
/// <param name="Operations">How many.</param>
/// <param name="Bytes">Allocated by all of them.</param>
/// <param name="Gen0">Collections; those of the older generations are among them, as <see cref="GC.CollectionCount"/> counts.</param>
/// <param name="Gen1">Collections.</param>
/// <param name="Gen2">Collections.</param>
public readonly record struct HeapUse(long Operations, long Bytes, int Gen0, int Gen1, int Gen2)
{
    /// <summary>Allocated an operation.</summary>
    public double BytesPerOperation => (double)Bytes / Operations;

    /// <summary>Adds rounds up.</summary>
    public static HeapUse operator +(HeapUse left, HeapUse right)
        => new(left.Operations + right.Operations, left.Bytes + right.Bytes, left.Gen0 + right.Gen0, left.Gen1 + right.Gen1, left.Gen2 + right.Gen2);

    /// <summary>The counters at this moment.</summary>
    internal static HeapUse Now() => new(0, GC.GetTotalAllocatedBytes(), GC.CollectionCount(0), GC.CollectionCount(1), GC.CollectionCount(2));

    /// <summary>What so many operations made of these counters.</summary>
    internal HeapUse Until(HeapUse later, long operations)
        => new(operations, later.Bytes - Bytes, later.Gen0 - Gen0, later.Gen1 - Gen1, later.Gen2 - Gen2);

    /// <summary>Collections for 1,000 operations.</summary>
    internal double PerThousand(int collections) => 1000.0 * collections / Operations;
}
