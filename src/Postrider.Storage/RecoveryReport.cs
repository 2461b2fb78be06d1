namespace Postrider.Storage;

/// <summary>What opening a file store found.</summary>
internal sealed class RecoveryReport
{
    /// <summary>Blocks read.</summary>
    public int Blocks { get; set; }

    /// <summary>Messages found.</summary>
    public long Messages { get; set; }

    /// <summary>Whether the snapshot of the last clean end was used.</summary>
    public bool FromSnapshot { get; set; }

    /// <summary>Whether a message that the snapshot counts was erased after it.</summary>
    public bool ErasedSinceSnapshot { get; set; }

    /// <summary>Blocks whose index was missing or wrong and was made again from their records.</summary>
    public int IndexesRebuilt { get; set; }

    /// <summary>Bytes of an unfinished write that were cut off.</summary>
    public long TornBytes { get; set; }

    /// <summary>Damage inside blocks: everything around it was kept.</summary>
    public List<DamagedRange> Damaged { get; } = [];

    /// <summary>What the store should have in it, as far as that is known.</summary>
    public ExpectedMessages Expected { get; set; } = new();

    /// <summary>One line per finding, for the log.</summary>
    public List<string> Notes { get; } = [];
}
