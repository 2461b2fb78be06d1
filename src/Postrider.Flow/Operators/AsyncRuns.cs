using Postrider.Flow.Outcomes;
using Postrider.Flow.Pumps;
using Postrider.Flow.Sources;

namespace Postrider.Flow.Operators;

/// <summary>Runs over async enumerables.</summary>
internal static class AsyncRuns
{
    public static Task ForEach<TItem, TPending, TBody>(PumpSettings settings, IAsyncEnumerable<TItem> source, in TBody body, CancellationToken ct)
        where TPending : struct, IPending<NoResult>
        where TBody : struct, IBody<TItem, TPending>
        => Runs.ForEach<TItem, TPending, ReadSource<TItem, EnumeratorReader<TItem>>, TBody>(settings, Read(source), body, ct);

    public static Task<TResult[]> Select<TItem, TResult, TBody>(PumpSettings settings, IAsyncEnumerable<TItem> source, in TBody body, CancellationToken ct)
        where TBody : struct, IBody<TItem, Pending<TResult>>
        => Runs.Select<TItem, TResult, ReadSource<TItem, EnumeratorReader<TItem>>, TBody>(settings, Read(source), body, ct);

    public static Task<Outcome<TResult>[]> Outcomes<TItem, TResult, TBody>(PumpSettings settings, IAsyncEnumerable<TItem> source, in TBody body, CancellationToken ct)
        where TBody : struct, IBody<TItem, Pending<TResult>>
        => Runs.Outcomes<TItem, TResult, ReadSource<TItem, EnumeratorReader<TItem>>, TBody>(settings, Read(source), body, ct);

    public static IAsyncEnumerable<TResult> Stream<TItem, TResult, TBody>(PumpSettings settings, IAsyncEnumerable<TItem> source, in TBody body, CancellationToken ct)
        where TBody : struct, IBody<TItem, Pending<TResult>>
        => Runs.Stream<TItem, TResult, ReadSource<TItem, EnumeratorReader<TItem>>, TBody>(settings, Read(source), body, ct);

    public static IAsyncEnumerable<Outcome<TResult>> OutcomeStream<TItem, TResult, TBody>(PumpSettings settings, IAsyncEnumerable<TItem> source, in TBody body, CancellationToken ct)
        where TBody : struct, IBody<TItem, Pending<TResult>>
        => Runs.OutcomeStream<TItem, TResult, ReadSource<TItem, EnumeratorReader<TItem>>, TBody>(settings, Read(source), body, ct);

    public static Task<TResult[]> Batch<TItem, TResult>(PumpSettings settings, IAsyncEnumerable<TItem> source, int size, TimeSpan maxDelay, in BatchBody<TItem, TResult> body, CancellationToken ct)
        => Select<Batch<TItem>, TResult, BatchBody<TItem, TResult>>(settings, Batches(settings, source, size, maxDelay), body, ct);

    public static IAsyncEnumerable<TResult> BatchStream<TItem, TResult>(PumpSettings settings, IAsyncEnumerable<TItem> source, int size, TimeSpan maxDelay, in BatchBody<TItem, TResult> body, CancellationToken ct)
        => Stream<Batch<TItem>, TResult, BatchBody<TItem, TResult>>(settings, Batches(settings, source, size, maxDelay), body, ct);

    private static ReadSource<TItem, EnumeratorReader<TItem>> Read<TItem>(IAsyncEnumerable<TItem> source)
        => new(new EnumeratorReader<TItem>(source));

    private static BatchReader<TItem, EnumeratorReader<TItem>> Batches<TItem>(PumpSettings settings, IAsyncEnumerable<TItem> source, int size, TimeSpan maxDelay)
        => new(new EnumeratorReader<TItem>(source), size, maxDelay, settings.Time);
}
