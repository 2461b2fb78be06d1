namespace Postrider.Flow.Pumps;

/// <summary>A delegate without a result.</summary>
internal readonly struct ActionBody<TItem>(Func<TItem, CancellationToken, ValueTask> body) : IBody<TItem, Pending>
{
    public Pending Invoke(TItem item, CancellationToken ct) => new(body(item, ct));

    public void Release(TItem item)
    {
    }
}
