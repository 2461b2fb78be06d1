namespace Postrider.Flow.Pumps;

/// <summary>A static delegate with a result, and the state that it would otherwise capture.</summary>
internal readonly struct StatefulBody<TItem, TState, TResult>(Func<TItem, TState, CancellationToken, ValueTask<TResult>> body, TState state)
    : IBody<TItem, Pending<TResult>>
{
    public Pending<TResult> Invoke(TItem item, CancellationToken ct) => new(body(item, state, ct));

    public void Release(TItem item)
    {
    }
}
