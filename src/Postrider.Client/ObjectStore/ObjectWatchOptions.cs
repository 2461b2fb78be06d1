namespace Postrider.Client.ObjectStore;

/// <summary>Options of a watch over objects.</summary>
public sealed record ObjectWatchOptions
{
    /// <summary>Whether deletions are omitted.</summary>
    public bool IgnoreDeletes { get; init; }

    /// <summary>Whether only changes after the start of the watch are returned.</summary>
    public bool UpdatesOnly { get; init; }

    /// <summary>Called once on the reader's thread, after all initial values have been read.</summary>
    public Action? InitialValuesDone { get; init; }
}
