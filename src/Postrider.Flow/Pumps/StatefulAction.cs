namespace Postrider.Flow.Pumps;

/// <summary>A static delegate without a result, and the state that it would otherwise capture.</summary>
internal readonly struct StatefulAction<TItem, TState>(Func<TItem, TState, CancellationToken, ValueTask> body, TState state)
    : IBody<TItem, Pending>
{
    public Pending Invoke(TItem item, CancellationToken ct) => new(body(item, state, ct));

    public void Release(TItem item)
    {
    }
}
