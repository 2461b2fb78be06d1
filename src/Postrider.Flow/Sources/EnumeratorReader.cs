namespace Postrider.Flow.Sources;

/// <summary>Reads an async enumerable; its enumerator is created at the first read.</summary>
internal struct EnumeratorReader<TItem>(IAsyncEnumerable<TItem> source) : IAsyncReader<TItem>
{
    private IAsyncEnumerator<TItem>? _items;
    private CancellationToken _ct;

    public void Open(CancellationToken ct) => _ct = ct;

    public bool TryRead(out TItem item, out ValueTask<bool> more)
    {
        _items ??= source.GetAsyncEnumerator(_ct);
        more = _items.MoveNextAsync();
        if (more.IsCompletedSuccessfully)
        {
            var there = more.Result;
            more = new ValueTask<bool>(false);
            item = there ? _items.Current : default!;
            return there;
        }
        item = default!;
        return false;
    }

    public readonly bool TryTake(out TItem item)
    {
        item = _items!.Current;
        return true;
    }

    public readonly ValueTask CloseAsync() => _items?.DisposeAsync() ?? default;
}
