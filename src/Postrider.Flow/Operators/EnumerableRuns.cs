using Postrider.Flow.Outcomes;
using Postrider.Flow.Pumps;
using Postrider.Flow.Sources;

namespace Postrider.Flow.Operators;

/// <summary>Finds the fastest way to read an enumerable.</summary>
internal static class EnumerableRuns
{
    public static Task ForEach<TItem, TPending, TBody>(PumpSettings settings, IEnumerable<TItem> source, in TBody body, CancellationToken ct)
        where TPending : struct, IPending<NoResult>
        where TBody : struct, IBody<TItem, TPending>
        => source switch
        {
            TItem[] array => Runs.ForEach<TItem, TPending, ArraySource<TItem>, TBody>(settings, new ArraySource<TItem>(array), body, ct),
            List<TItem> list => Runs.ForEach<TItem, TPending, ListSource<TItem>, TBody>(settings, new ListSource<TItem>(list), body, ct),
            _ => Runs.ForEach<TItem, TPending, PulledSource<TItem>, TBody>(settings, new PulledSource<TItem>(source), body, ct),
        };

    public static Task<TResult[]> Select<TItem, TResult, TBody>(PumpSettings settings, IEnumerable<TItem> source, in TBody body, CancellationToken ct)
        where TBody : struct, IBody<TItem, Pending<TResult>>
        => source switch
        {
            TItem[] array => Runs.Select<TItem, TResult, ArraySource<TItem>, TBody>(settings, new ArraySource<TItem>(array), body, ct),
            List<TItem> list => Runs.Select<TItem, TResult, ListSource<TItem>, TBody>(settings, new ListSource<TItem>(list), body, ct),
            _ => Runs.Select<TItem, TResult, PulledSource<TItem>, TBody>(settings, new PulledSource<TItem>(source), body, ct),
        };

    public static Task<Outcome<TResult>[]> Outcomes<TItem, TResult, TBody>(PumpSettings settings, IEnumerable<TItem> source, in TBody body, CancellationToken ct)
        where TBody : struct, IBody<TItem, Pending<TResult>>
        => source switch
        {
            TItem[] array => Runs.Outcomes<TItem, TResult, ArraySource<TItem>, TBody>(settings, new ArraySource<TItem>(array), body, ct),
            List<TItem> list => Runs.Outcomes<TItem, TResult, ListSource<TItem>, TBody>(settings, new ListSource<TItem>(list), body, ct),
            _ => Runs.Outcomes<TItem, TResult, PulledSource<TItem>, TBody>(settings, new PulledSource<TItem>(source), body, ct),
        };

    public static IAsyncEnumerable<TResult> Stream<TItem, TResult, TBody>(PumpSettings settings, IEnumerable<TItem> source, in TBody body, CancellationToken ct)
        where TBody : struct, IBody<TItem, Pending<TResult>>
        => source switch
        {
            TItem[] array => Runs.Stream<TItem, TResult, ArraySource<TItem>, TBody>(settings, new ArraySource<TItem>(array), body, ct),
            List<TItem> list => Runs.Stream<TItem, TResult, ListSource<TItem>, TBody>(settings, new ListSource<TItem>(list), body, ct),
            _ => Runs.Stream<TItem, TResult, PulledSource<TItem>, TBody>(settings, new PulledSource<TItem>(source), body, ct),
        };

    public static IAsyncEnumerable<Outcome<TResult>> OutcomeStream<TItem, TResult, TBody>(PumpSettings settings, IEnumerable<TItem> source, in TBody body, CancellationToken ct)
        where TBody : struct, IBody<TItem, Pending<TResult>>
        => source switch
        {
            TItem[] array => Runs.OutcomeStream<TItem, TResult, ArraySource<TItem>, TBody>(settings, new ArraySource<TItem>(array), body, ct),
            List<TItem> list => Runs.OutcomeStream<TItem, TResult, ListSource<TItem>, TBody>(settings, new ListSource<TItem>(list), body, ct),
            _ => Runs.OutcomeStream<TItem, TResult, PulledSource<TItem>, TBody>(settings, new PulledSource<TItem>(source), body, ct),
        };

    public static Task<TResult[]> Batch<TItem, TResult>(PumpSettings settings, IEnumerable<TItem> source, int size, in BatchBody<TItem, TResult> body, CancellationToken ct)
        => source is TItem[] array
            ? Runs.Select<Batch<TItem>, TResult, BatchSource<TItem>, BatchBody<TItem, TResult>>(settings, new BatchSource<TItem>(array, size), body, ct)
            : Runs.Select<Batch<TItem>, TResult, PulledSource<Batch<TItem>>, BatchBody<TItem, TResult>>(settings, new PulledSource<Batch<TItem>>(PooledBatches.Of(source, size)), body, ct);

    public static IAsyncEnumerable<TResult> BatchStream<TItem, TResult>(PumpSettings settings, IEnumerable<TItem> source, int size, in BatchBody<TItem, TResult> body, CancellationToken ct)
        => source is TItem[] array
            ? Runs.Stream<Batch<TItem>, TResult, BatchSource<TItem>, BatchBody<TItem, TResult>>(settings, new BatchSource<TItem>(array, size), body, ct)
            : Runs.Stream<Batch<TItem>, TResult, PulledSource<Batch<TItem>>, BatchBody<TItem, TResult>>(settings, new PulledSource<Batch<TItem>>(PooledBatches.Of(source, size)), body, ct);
}
