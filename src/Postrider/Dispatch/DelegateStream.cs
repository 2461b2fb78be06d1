namespace Postrider.Dispatch;

/// <summary>A handler of a stream request that is a delegate.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TItem">The type of the items.</typeparam>
internal sealed class DelegateStream<TRequest, TItem>(Func<TRequest, CancellationToken, IAsyncEnumerable<TItem>> handler)
    : StreamPipeline<TRequest, TItem>
    where TRequest : notnull
{
    public override IAsyncEnumerable<TItem> Invoke(TRequest request, object? state, CancellationToken ct) => handler(request, ct);
}
