namespace Postrider.Flow.Sources;

/// <summary>One reader of an asynchronous source. Not thread-safe: <see cref="ReadSource{TItem, TReader}"/> lets one in.</summary>
/// <typeparam name="TItem">The items.</typeparam>
internal interface IAsyncReader<TItem>
{
    /// <summary>Called once before anything else.</summary>
    void Open(CancellationToken ct);

    /// <summary>Reads an item when one is there, or says whether another may come.</summary>
    /// <returns>False when there is none now; <paramref name="more"/> then says whether one may come.</returns>
    bool TryRead(out TItem item, out ValueTask<bool> more);

    /// <summary>Reads the item after <c>more</c> ended with true.</summary>
    /// <returns>False when another reader took it: read again.</returns>
    bool TryTake(out TItem item);

    ValueTask CloseAsync();
}
