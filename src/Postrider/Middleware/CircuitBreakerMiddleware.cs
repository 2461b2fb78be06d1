using Postrider.Resilience;

namespace Postrider.Middleware;

/// <summary>Rejects messages whose handler keeps failing, and probes whether it works again.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
/// <param name="time">The clock of slow calls and of breakers created here; null for the system clock.</param>
/// <param name="options">Null for the defaults.</param>
/// <remarks>Thread-safe. It uses a <see cref="CircuitBreaker"/>, as the operators of Postrider.Flow do; a call that the caller cancelled
/// counts as neither success nor failure.</remarks>
[Middleware(Lifetime = HandlerLifetime.Singleton)]
public sealed class CircuitBreakerMiddleware<TRequest, TResponse>(TimeProvider? time = null, CircuitBreakerMiddlewareOptions? options = null)
    : IMiddleware<TRequest, TResponse>
    where TRequest : notnull
{
    private readonly TimeProvider _time = time ?? TimeProvider.System;
    private readonly CircuitBreaker _breaker = options?.ByMessage?.Invoke(typeof(TRequest)) ?? new CircuitBreaker(WithClock(time, options));

    /// <inheritdoc/>
    /// <exception cref="CircuitBreakerOpenException">The breaker is not closed.</exception>
    public async ValueTask<TResponse> Handle(TRequest request, Next<TRequest, TResponse> next, CancellationToken ct)
    {
        if (!_breaker.TryEnter(out var ticket))
            throw _breaker.Refusal();

        var started = _breaker.CountsSlowCalls ? _time.GetTimestamp() : 0;
        TResponse response;
        try
        {
            response = await next.Invoke(request, ct).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (ct.IsCancellationRequested)
        {
            _breaker.OnAbandoned(ticket);
            throw;
        }
        catch (Exception failure)
        {
            _breaker.OnFailure(ticket, failure, Elapsed(started));
            throw;
        }

        _breaker.OnSuccess(ticket, Elapsed(started));
        return response;
    }

    // A clock set in the options is kept.
    private static CircuitBreakerOptions WithClock(TimeProvider? time, CircuitBreakerMiddlewareOptions? options)
    {
        var chosen = options?.Options ?? new();
        return time is not null && chosen.TimeProvider == TimeProvider.System ? chosen with { TimeProvider = time } : chosen;
    }

    private TimeSpan Elapsed(long started) => started == 0 ? TimeSpan.Zero : _time.GetElapsedTime(started);
}
