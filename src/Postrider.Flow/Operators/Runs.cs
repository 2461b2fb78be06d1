using System.Runtime.CompilerServices;
using Postrider.Flow.Outcomes;
using Postrider.Flow.Pumps;
using Postrider.Flow.Sources;

namespace Postrider.Flow.Operators;

/// <summary>Combines source, body and sink and starts a pooled pump.</summary>
internal static class Runs
{
    public static Task ForEach<TItem, TPending, TSource, TBody>(PumpSettings settings, in TSource source, in TBody body, CancellationToken ct)
        where TPending : struct, IPending<NoResult>
        where TSource : struct, ISource<TItem>
        where TBody : struct, IBody<TItem, TPending>
    {
        Check<TItem, NoResult>(settings);
        if (ct.IsCancellationRequested)
            return Task.FromCanceled(ct);
        var builder = AsyncTaskMethodBuilder.Create();
        // Read before the run: afterwards the pump may be used by another one.
        var task = builder.Task;
        PumpPool<Pump<TItem, NoResult, TPending, TSource, TBody, ForEachSink>>.Rent()
            .Start(settings, source, body, new ForEachSink(builder), ct);
        return task;
    }

    public static Task<TResult[]> Select<TItem, TResult, TSource, TBody>(PumpSettings settings, in TSource source, in TBody body, CancellationToken ct)
        where TSource : struct, ISource<TItem>
        where TBody : struct, IBody<TItem, Pending<TResult>>
    {
        Check<TItem, TResult>(settings);
        if (ct.IsCancellationRequested)
            return Task.FromCanceled<TResult[]>(ct);
        var builder = AsyncTaskMethodBuilder<TResult[]>.Create();
        var task = builder.Task;
        // A count that comes from an enumerable is a hint: it may change before the source is read.
        if (!TSource.FillsChunks && source.Total is { } total)
        {
            PumpPool<Pump<TItem, TResult, Pending<TResult>, TSource, TBody, ArraySink<TResult>>>.Rent()
                .Start(settings, source, body, new ArraySink<TResult>(builder, (int)total, settings.MayLeaveGaps), ct);
        }
        else
        {
            PumpPool<Pump<TItem, TResult, Pending<TResult>, TSource, TBody, GrowingSink<TResult>>>.Rent()
                .Start(settings, source, body, new GrowingSink<TResult>(builder), ct);
        }
        return task;
    }

    public static Task<Outcome<TResult>[]> Outcomes<TItem, TResult, TSource, TBody>(PumpSettings settings, in TSource source, in TBody body, CancellationToken ct)
        where TSource : struct, ISource<TItem>
        where TBody : struct, IBody<TItem, Pending<TResult>>
    {
        Check<TItem, TResult>(settings);
        if (ct.IsCancellationRequested)
            return Task.FromCanceled<Outcome<TResult>[]>(ct);
        var builder = AsyncTaskMethodBuilder<Outcome<TResult>[]>.Create();
        var task = builder.Task;
        PumpPool<Pump<TItem, TResult, Pending<TResult>, TSource, TBody, OutcomesSink<TResult>>>.Rent()
            .Start(settings, source, body, new OutcomesSink<TResult>(builder), ct);
        return task;
    }

    public static IAsyncEnumerable<TResult> Stream<TItem, TResult, TSource, TBody>(PumpSettings settings, in TSource source, in TBody body, CancellationToken ct)
        where TSource : struct, ISource<TItem>
        where TBody : struct, IBody<TItem, Pending<TResult>>
    {
        Check<TItem, TResult>(settings);
        return new FlowStream<TItem, TResult, TSource, TBody>(settings, source, body, ct);
    }

    public static IAsyncEnumerable<Outcome<TResult>> OutcomeStream<TItem, TResult, TSource, TBody>(PumpSettings settings, in TSource source, in TBody body, CancellationToken ct)
        where TSource : struct, ISource<TItem>
        where TBody : struct, IBody<TItem, Pending<TResult>>
    {
        Check<TItem, TResult>(settings);
        return new OutcomeStream<TItem, TResult, TSource, TBody>(settings, source, body, ct);
    }

    /// <summary>The caller's token and the one of <c>GetAsyncEnumerator</c> as one; the source, when there is one, is the enumerator's to dispose.</summary>
    public static (CancellationToken Token, CancellationTokenSource? Linked) Link(CancellationToken ct, CancellationToken readers)
    {
        if (!readers.CanBeCanceled || ct == readers)
            return (ct, null);
        if (!ct.CanBeCanceled)
            return (readers, null);
        var linked = CancellationTokenSource.CreateLinkedTokenSource(ct, readers);
        return (linked.Token, linked);
    }

    /// <summary>Rejects errors that would otherwise only appear while the operation runs: options for other items, a disposed meter.</summary>
    /// <param name="options">The settings derived from the options; named like the operators' parameter, for the message.</param>
    public static void Check<TItem, TResult>(PumpSettings options)
    {
        options.Meter?.ThrowIfDisposed();
        var typed = options.Typed;
        if (typed is null or ItemSettings<TItem, TResult> || typed.GetType() == typeof(ItemSettings<TItem>))
            return;
        var made = typed.GetType().GenericTypeArguments;
        if (made.Length == 2 && made[0] == typeof(TItem) && typeof(TResult) == typeof(NoResult))
            throw new ArgumentException("FlowOptions.Fallback is set, but the operator has no results.", nameof(options));
        throw new ArgumentException(
            $"The options are for <{string.Join(", ", made.Select(Name))}>, and the operator runs <{Name(typeof(TItem))}{(typeof(TResult) == typeof(NoResult) ? "" : ", " + Name(typeof(TResult)))}>.", nameof(options));
    }

    private static string Name(Type type)
        => type.IsGenericType ? $"{type.Name[..type.Name.IndexOf('`')]}<{string.Join(", ", type.GenericTypeArguments.Select(Name))}>" : type.Name;
}
