using Postrider.Resilience;

namespace Postrider.Flow.Pumps;

/// <summary>Bodies with the further attempts of <see cref="Hedge"/>.</summary>
internal static class HedgedBody
{
    /// <summary>Returns the body itself, or the hedged body if hedging is configured.</summary>
    public static Func<TItem, CancellationToken, ValueTask<TResult>> For<TItem, TResult>(
        Func<TItem, CancellationToken, ValueTask<TResult>> body, PumpSettings settings)
        => settings.Hedge is { } hedge ? Wrap(body, hedge, settings.Time) : body;

    /// <summary>A body without a result, hedged.</summary>
    public static DelegateBody<TItem, NoResult> For<TItem>(Func<TItem, CancellationToken, ValueTask> body, PumpSettings settings)
    {
        return new DelegateBody<TItem, NoResult>(For<TItem, NoResult>(Call, settings));

        async ValueTask<NoResult> Call(TItem item, CancellationToken ct)
        {
            await body(item, ct).ConfigureAwait(false);
            return default;
        }
    }

    private static Func<TItem, CancellationToken, ValueTask<TResult>> Wrap<TItem, TResult>(
        Func<TItem, CancellationToken, ValueTask<TResult>> body, Hedge hedge, TimeProvider time)
        => (item, ct) => hedge.ExecuteAsync(body, item, time, ct);
}
