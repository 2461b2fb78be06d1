using Postrider.Flow.Outcomes;
using Postrider.Flow.Pumps;
using Postrider.Flow.Sources;

namespace Postrider.Flow.Operators;

/// <summary>A stream of outcomes; every enumeration is a separate run.</summary>
internal sealed class OutcomeStream<TItem, TResult, TSource, TBody>(PumpSettings settings, TSource source, TBody body, CancellationToken ct)
    : IAsyncEnumerable<Outcome<TResult>>
    where TSource : struct, ISource<TItem>
    where TBody : struct, IBody<TItem, Pending<TResult>>
{
    public IAsyncEnumerator<Outcome<TResult>> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        var (token, linked) = Runs.Link(ct, cancellationToken);
        var buffer = PumpPool<StreamBuffer<Outcome<TResult>>>.Rent();
        buffer.Begin(settings.Window, settings.Ordered);
        var pump = PumpPool<Pump<TItem, TResult, Pending<TResult>, TSource, TBody, OutcomeStreamSink<TResult>>>.Rent();
        pump.StartParked(settings, source, body, new OutcomeStreamSink<TResult>(buffer), token);
        return new FlowEnumerator<Outcome<TResult>>(pump, buffer, linked);
    }
}
