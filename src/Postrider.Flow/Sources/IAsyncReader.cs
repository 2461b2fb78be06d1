namespace Postrider.Flow.Sources;

/// <summary>A reader of an asynchronous source. Not thread-safe: <see cref="ReadSource{TItem, TReader}"/> admits one thread at a time.</summary>
/// <typeparam name="TItem">The items.</typeparam>
internal interface IAsyncReader<TItem>
{
    /// <summary>Called once before anything else.</summary>
    void Open(CancellationToken ct);

    /// <summary>Reads an item if one is available, or returns whether another may follow.</summary>
    /// <returns>False if none is available now; <paramref name="more"/> then completes with whether one may follow.</returns>
    bool TryRead(out TItem item, out ValueTask<bool> more);

    /// <summary>Reads the item after <c>more</c> completed with true.</summary>
    /// <returns>False if another reader took it: read again.</returns>
    bool TryTake(out TItem item);

    ValueTask CloseAsync();
}
