namespace Postrider;

/// <summary>A step around a stream handler.</summary>
/// <typeparam name="TRequest">As for <see cref="IMiddleware{TRequest, TResponse}"/>.</typeparam>
/// <typeparam name="TItem">The type of the items.</typeparam>
public interface IStreamMiddleware<TRequest, TItem>
    where TRequest : notnull
{
    /// <summary>Handles the request, usually by enumerating the items of <paramref name="next"/>.</summary>
    /// <param name="request">The message.</param>
    /// <param name="next">The rest of the pipeline.</param>
    /// <param name="ct">The caller's cancellation.</param>
    /// <returns>The items.</returns>
    IAsyncEnumerable<TItem> Handle(TRequest request, NextStream<TRequest, TItem> next, CancellationToken ct);
}
