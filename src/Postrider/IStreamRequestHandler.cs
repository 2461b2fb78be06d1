namespace Postrider;

/// <summary>Handles a request by returning a sequence; found by the generator.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TItem">The type of the items.</typeparam>
public interface IStreamRequestHandler<in TRequest, out TItem>
    where TRequest : IStreamRequest<TItem>
{
    /// <summary>Handles <paramref name="request"/>; usually an <c>async</c> iterator.</summary>
    /// <param name="request">The message.</param>
    /// <param name="ct">The caller's cancellation; mark it <c>[EnumeratorCancellation]</c> in an iterator.</param>
    /// <returns>The items.</returns>
    IAsyncEnumerable<TItem> Handle(TRequest request, CancellationToken ct);
}
