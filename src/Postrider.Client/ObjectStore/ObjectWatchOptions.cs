namespace Postrider.Client.ObjectStore;

/// <summary>What a watch over objects gives.</summary>
public sealed record ObjectWatchOptions
{
    /// <summary>Whether deletions are left out.</summary>
    public bool IgnoreDeletes { get; init; }

    /// <summary>Whether it begins with what comes next.</summary>
    public bool UpdatesOnly { get; init; }

    /// <summary>Called once, by whoever reads, when it has been given everything that was there.</summary>
    public Action? InitialValuesDone { get; init; }
}
