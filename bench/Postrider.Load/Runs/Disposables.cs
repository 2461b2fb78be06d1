namespace Postrider.Load.Runs;

/// <summary>Things that are disposed together, in the order they were added.</summary>
internal sealed class Disposables<T> : IDisposable
    where T : IDisposable
{
    private readonly List<T> _all = [];

    public IReadOnlyList<T> All => _all;

    public T Add(T item)
    {
        _all.Add(item);
        return item;
    }

    public void Dispose() => _all.ForEach(item => item.Dispose());
}
