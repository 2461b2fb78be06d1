using Postrider.Resilience;

namespace Postrider.Middleware;

/// <summary>Limits the rate of messages of a type; messages above the rate wait or are rejected.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
/// <param name="time">The clock of the waits and of limiters created here; null for the system clock.</param>
/// <param name="options">Null for the defaults.</param>
/// <remarks>Thread-safe. It uses a <see cref="RateLimiter"/>, as the operators of Postrider.Flow do.</remarks>
[Middleware(Lifetime = HandlerLifetime.Singleton)]
public sealed class RateLimitMiddleware<TRequest, TResponse>(TimeProvider? time = null, RateLimitOptions? options = null)
    : IMiddleware<TRequest, TResponse>
    where TRequest : notnull
{
    private readonly TimeProvider _time = time ?? TimeProvider.System;
    private readonly TimeSpan _maxWait = Checked(options?.MaxWait ?? TimeSpan.Zero);
    private readonly RateLimiter _limiter = options?.ByMessage?.Invoke(typeof(TRequest)) ?? Make(time, options ?? new());

    /// <inheritdoc/>
    /// <exception cref="PostriderException"><see cref="PostriderError.Refused"/>: the wait would be too long.</exception>
    public ValueTask<TResponse> Handle(TRequest request, Next<TRequest, TResponse> next, CancellationToken ct)
    {
        if (_limiter.TryAcquire())
            return next.Invoke(request, ct);

        var wait = _limiter.Reserve();
        if (wait <= _maxWait)
            return Wait(request, next, wait, ct);

        _limiter.Return();
        return ValueTask.FromException<TResponse>(new PostriderException(
            PostriderError.Refused, $"The message would wait {wait} for the rate limit, which exceeds the MaxWait of {_maxWait}."));
    }

    private async ValueTask<TResponse> Wait(TRequest request, Next<TRequest, TResponse> next, TimeSpan wait, CancellationToken ct)
    {
        try
        {
            await Task.Delay(wait, _time, ct).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            _limiter.Return();
            throw;
        }

        return await next.Invoke(request, ct).ConfigureAwait(false);
    }

    private static TimeSpan Checked(TimeSpan maxWait)
        => maxWait >= TimeSpan.Zero
            ? maxWait
            : throw new PostriderException(
                PostriderError.Configuration, $"RateLimitOptions.MaxWait of {typeof(TRequest)} is {maxWait}; it must not be negative.");

    private static RateLimiter Make(TimeProvider? time, RateLimitOptions options)
        => new(options.Permits, options.Per, options.Burst, time);
}
