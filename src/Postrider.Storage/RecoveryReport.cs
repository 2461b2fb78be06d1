namespace Postrider.Storage;

/// <summary>The findings when a file store was opened.</summary>
internal sealed class RecoveryReport
{
    /// <summary>Blocks read.</summary>
    public int Blocks { get; set; }

    /// <summary>Messages found.</summary>
    public long Messages { get; set; }

    /// <summary>Whether the snapshot of the last clean end was used.</summary>
    public bool FromSnapshot { get; set; }

    /// <summary>Whether a message that is counted in the snapshot was erased after it.</summary>
    public bool ErasedSinceSnapshot { get; set; }

    /// <summary>The number of blocks whose index was missing or wrong and was rebuilt from their records.</summary>
    public int IndexesRebuilt { get; set; }

    /// <summary>Bytes of an unfinished write that were cut off.</summary>
    public long TornBytes { get; set; }

    /// <summary>Damage inside blocks: everything around it was kept.</summary>
    public List<DamagedRange> Damaged { get; } = [];

    /// <summary>What the store should contain, as far as it is known.</summary>
    public ExpectedMessages Expected { get; set; } = new();

    /// <summary>One line per finding, for the log.</summary>
    public List<string> Notes { get; } = [];
}
