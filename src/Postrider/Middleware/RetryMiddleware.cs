using Postrider.Resilience;

namespace Postrider.Middleware;

/// <summary>Retries a message whose handler or inner middleware failed.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
/// <param name="time">The clock of the delays; null for the system clock.</param>
/// <param name="options">Null for the defaults.</param>
/// <remarks>Thread-safe. All attempts run in the caller's scope. The <see cref="RetryPolicy"/> decides which failures are retried and
/// how the delay grows, as in the operators of Postrider.Flow; a failure after the caller's cancellation is final.</remarks>
[Middleware(Lifetime = HandlerLifetime.Singleton)]
public sealed class RetryMiddleware<TRequest, TResponse>(TimeProvider? time = null, RetryOptions? options = null)
    : IMiddleware<TRequest, TResponse>
    where TRequest : notnull
{
    private readonly TimeProvider _time = time ?? TimeProvider.System;
    private readonly RetryPolicy _policy = Checked(options?.ByMessage?.Invoke(typeof(TRequest)) ?? options?.Policy ?? new());

    /// <inheritdoc/>
    public async ValueTask<TResponse> Handle(TRequest request, Next<TRequest, TResponse> next, CancellationToken ct)
    {
        _policy.Budget?.Deposit();
        var delay = TimeSpan.Zero;
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                return await next.Invoke(request, ct).ConfigureAwait(false);
            }
            catch (Exception failure) when (!ct.IsCancellationRequested && _policy.TryPlan(failure, attempt, delay, out delay))
            {
                // The plan has the delay; exception actions and telemetry inside this step have seen the failure.
            }

            if (delay > TimeSpan.Zero)
                await Task.Delay(delay, _time, ct).ConfigureAwait(false);
        }
    }

    private static RetryPolicy Checked(RetryPolicy policy)
    {
        policy.Validate();
        return policy;
    }
}
