namespace Postrider.Client.KeyValue;

/// <summary>Options of a watch.</summary>
public sealed record KeyValueWatchOptions
{
    /// <summary>Whether deletions are omitted.</summary>
    public bool IgnoreDeletes { get; init; }

    /// <summary>Whether values are omitted.</summary>
    public bool MetaOnly { get; init; }

    /// <summary>Whether it starts with the whole history instead of the last value of each key.</summary>
    public bool IncludeHistory { get; init; }

    /// <summary>Whether only changes after the start of the watch are returned.</summary>
    public bool UpdatesOnly { get; init; }

    /// <summary>The first revision, to continue an earlier watch; 0 for none.</summary>
    public ulong FromRevision { get; init; }

    /// <summary>Called once on the reader's thread, after all initial values have been read.</summary>
    public Action? InitialValuesDone { get; init; }
}
