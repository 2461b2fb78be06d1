namespace Postrider.Client.KeyValue;

/// <summary>What a watch gives.</summary>
public sealed record KeyValueWatchOptions
{
    /// <summary>Whether deletions are left out.</summary>
    public bool IgnoreDeletes { get; init; }

    /// <summary>Whether values are left out.</summary>
    public bool MetaOnly { get; init; }

    /// <summary>Whether it begins with every value that is kept, not only with each key's last.</summary>
    public bool IncludeHistory { get; init; }

    /// <summary>Whether it begins with what comes next.</summary>
    public bool UpdatesOnly { get; init; }

    /// <summary>The revision to begin at, for a watch that goes on where an earlier one ended; 0 for none.</summary>
    public ulong FromRevision { get; init; }

    /// <summary>Called once, by whoever reads, when it has been given everything that was there.</summary>
    public Action? InitialValuesDone { get; init; }
}
