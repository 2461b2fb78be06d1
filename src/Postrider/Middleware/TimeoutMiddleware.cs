namespace Postrider.Middleware;

/// <summary>Cancels a message that takes too long and ends it with a <see cref="TimeoutException"/>.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
/// <param name="time">The clock; null for the system clock.</param>
/// <param name="options">Null for the defaults.</param>
/// <remarks>Thread-safe. It cancels the handler's token and waits for the handler to end: a handler that ignores its token runs to its
/// end, so that it never outlives the caller's scope.</remarks>
[Middleware(Lifetime = HandlerLifetime.Singleton)]
public sealed class TimeoutMiddleware<TRequest, TResponse>(TimeProvider? time = null, TimeoutOptions? options = null)
    : IMiddleware<TRequest, TResponse>
    where TRequest : notnull
{
    // The maximum of a timer, about 49 days.
    private static readonly TimeSpan s_longest = TimeSpan.FromMilliseconds(uint.MaxValue - 1);

    private readonly TimeProvider _time = time ?? TimeProvider.System;
    private readonly TimeSpan _after = Checked(options?.ByMessage?.Invoke(typeof(TRequest)) ?? (options ?? new()).After);

    /// <inheritdoc/>
    /// <exception cref="TimeoutException">The handler ended with the cancellation that the limit caused.</exception>
    public async ValueTask<TResponse> Handle(TRequest request, Next<TRequest, TResponse> next, CancellationToken ct)
    {
        using var limit = new CancellationTokenSource(_after, _time);
        using var either = ct.CanBeCanceled ? CancellationTokenSource.CreateLinkedTokenSource(ct, limit.Token) : null;
        try
        {
            return await next.Invoke(request, (either ?? limit).Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException cancelled) when (limit.IsCancellationRequested && !ct.IsCancellationRequested)
        {
            throw new TimeoutException($"{typeof(TRequest)} exceeded the time limit of {_after}.", cancelled);
        }
    }

    private static TimeSpan Checked(TimeSpan after)
        => after > TimeSpan.Zero && after <= s_longest
            ? after
            : throw new PostriderException(
                PostriderError.Configuration, $"The time limit of {typeof(TRequest)} is {after}; it must be above zero and at most {s_longest}.");
}
