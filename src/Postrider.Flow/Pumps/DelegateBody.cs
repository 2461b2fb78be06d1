namespace Postrider.Flow.Pumps;

/// <summary>A delegate with a result.</summary>
internal readonly struct DelegateBody<TItem, TResult>(Func<TItem, CancellationToken, ValueTask<TResult>> body) : IBody<TItem, Pending<TResult>>
{
    public Pending<TResult> Invoke(TItem item, CancellationToken ct) => new(body(item, ct));

    public void Release(TItem item)
    {
    }
}
