using System.Threading.Channels;
using Postrider.Flow.Outcomes;
using Postrider.Flow.Pumps;
using Postrider.Flow.Sources;

namespace Postrider.Flow.Operators;

/// <summary>Runs over channel readers.</summary>
internal static class ChannelRuns
{
    public static Task ForEach<TItem, TPending, TBody>(PumpSettings settings, ChannelReader<TItem> source, in TBody body, CancellationToken ct)
        where TPending : struct, IPending<NoResult>
        where TBody : struct, IBody<TItem, TPending>
        => Runs.ForEach<TItem, TPending, ReadSource<TItem, ChannelSourceReader<TItem>>, TBody>(settings, Read(source), body, ct);

    public static Task<TResult[]> Select<TItem, TResult, TBody>(PumpSettings settings, ChannelReader<TItem> source, in TBody body, CancellationToken ct)
        where TBody : struct, IBody<TItem, Pending<TResult>>
        => Runs.Select<TItem, TResult, ReadSource<TItem, ChannelSourceReader<TItem>>, TBody>(settings, Read(source), body, ct);

    public static Task<Outcome<TResult>[]> Outcomes<TItem, TResult, TBody>(PumpSettings settings, ChannelReader<TItem> source, in TBody body, CancellationToken ct)
        where TBody : struct, IBody<TItem, Pending<TResult>>
        => Runs.Outcomes<TItem, TResult, ReadSource<TItem, ChannelSourceReader<TItem>>, TBody>(settings, Read(source), body, ct);

    public static IAsyncEnumerable<TResult> Stream<TItem, TResult, TBody>(PumpSettings settings, ChannelReader<TItem> source, in TBody body, CancellationToken ct)
        where TBody : struct, IBody<TItem, Pending<TResult>>
        => Runs.Stream<TItem, TResult, ReadSource<TItem, ChannelSourceReader<TItem>>, TBody>(settings, Read(source), body, ct);

    public static IAsyncEnumerable<Outcome<TResult>> OutcomeStream<TItem, TResult, TBody>(PumpSettings settings, ChannelReader<TItem> source, in TBody body, CancellationToken ct)
        where TBody : struct, IBody<TItem, Pending<TResult>>
        => Runs.OutcomeStream<TItem, TResult, ReadSource<TItem, ChannelSourceReader<TItem>>, TBody>(settings, Read(source), body, ct);

    public static Task<TResult[]> Batch<TItem, TResult>(PumpSettings settings, ChannelReader<TItem> source, int size, TimeSpan maxDelay, in BatchBody<TItem, TResult> body, CancellationToken ct)
        => AsyncRuns.Select<Batch<TItem>, TResult, BatchBody<TItem, TResult>>(settings, Batches(settings, source, size, maxDelay), body, ct);

    public static IAsyncEnumerable<TResult> BatchStream<TItem, TResult>(PumpSettings settings, ChannelReader<TItem> source, int size, TimeSpan maxDelay, in BatchBody<TItem, TResult> body, CancellationToken ct)
        => AsyncRuns.Stream<Batch<TItem>, TResult, BatchBody<TItem, TResult>>(settings, Batches(settings, source, size, maxDelay), body, ct);

    private static ReadSource<TItem, ChannelSourceReader<TItem>> Read<TItem>(ChannelReader<TItem> source)
        => new(new ChannelSourceReader<TItem>(source));

    private static BatchReader<TItem, ChannelSourceReader<TItem>> Batches<TItem>(PumpSettings settings, ChannelReader<TItem> source, int size, TimeSpan maxDelay)
        => new(new ChannelSourceReader<TItem>(source), size, maxDelay, settings.Time);
}
