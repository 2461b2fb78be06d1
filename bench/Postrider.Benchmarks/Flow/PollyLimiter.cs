using System.Threading.RateLimiting;
using Polly;

namespace Postrider.Benchmarks.Flow;

/// <summary>The platform's token bucket as a strategy of Polly, as Polly's own package has it.</summary>
#pragma warning disable CA1001 // It lives as long as its process.
internal sealed class PollyLimiter : ResilienceStrategy
{
    private readonly TokenBucketRateLimiter _limiter = new(new TokenBucketRateLimiterOptions
    {
        TokenLimit = 1_000_000_000,
        TokensPerPeriod = 1_000_000_000,
        ReplenishmentPeriod = TimeSpan.FromSeconds(1),
        QueueLimit = int.MaxValue,
    });

    protected override async ValueTask<Outcome<TResult>> ExecuteCore<TResult, TState>(
        Func<ResilienceContext, TState, ValueTask<Outcome<TResult>>> callback, ResilienceContext context, TState state)
    {
        using var lease = await _limiter.AcquireAsync(1, context.CancellationToken).ConfigureAwait(context.ContinueOnCapturedContext);
        return lease.IsAcquired
            ? await callback(context, state).ConfigureAwait(context.ContinueOnCapturedContext)
            : Outcome.FromException<TResult>(new InvalidOperationException("No permit."));
    }
}
