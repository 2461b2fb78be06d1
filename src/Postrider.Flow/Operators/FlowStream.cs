using Postrider.Flow.Pumps;
using Postrider.Flow.Sources;

namespace Postrider.Flow.Operators;

/// <summary>A stream of results; every enumeration is a separate run.</summary>
internal sealed class FlowStream<TItem, TResult, TSource, TBody>(PumpSettings settings, TSource source, TBody body, CancellationToken ct)
    : IAsyncEnumerable<TResult>
    where TSource : struct, ISource<TItem>
    where TBody : struct, IBody<TItem, Pending<TResult>>
{
    public IAsyncEnumerator<TResult> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        var (token, linked) = Runs.Link(ct, cancellationToken);
        var buffer = PumpPool<StreamBuffer<TResult>>.Rent();
        buffer.Begin(settings.Window, settings.Ordered);
        var pump = PumpPool<Pump<TItem, TResult, Pending<TResult>, TSource, TBody, StreamSink<TResult>>>.Rent();
        pump.StartParked(settings, source, body, new StreamSink<TResult>(buffer), token);
        return new FlowEnumerator<TResult>(pump, buffer, linked);
    }
}
