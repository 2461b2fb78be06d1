using System.Runtime.CompilerServices;
using Postrider.Flow.Outcomes;

namespace Postrider.Flow.Pumps;

/// <summary>Every item's story by index.</summary>
internal readonly struct OutcomesSink<TResult>(AsyncTaskMethodBuilder<Outcome<TResult>[]> task) : ISink<TResult>
{
    private readonly AsyncTaskMethodBuilder<Outcome<TResult>[]> _task = task;
    private readonly Segments<Outcome<TResult>> _outcomes = Segments<Outcome<TResult>>.Rent();

    public static bool WantsOutcomes => true;

    public long Horizon => Array.MaxLength;

    public bool HasResults => false;

    public void Succeed(long index, TResult value)
        => throw new NotSupportedException("Outcomes are settled.");

    public void Settle(in Outcome<TResult> outcome) => _outcomes[outcome.Index] = outcome;

    public void Flush()
    {
    }

    public void Complete(in RunEnd end)
    {
        var builder = _task;
        if (end.Failure is not null)
        {
            _outcomes.Return();
            builder.SetException(end.Failure);
            return;
        }
        if (end.SourceFailure is not null)
        {
            builder.SetException(ToThrow(end));
            _outcomes.Return();
            return;
        }
        var outcomes = new Outcome<TResult>[end.Total ?? end.Taken];
        for (var i = 0; i < outcomes.Length; i++)
        {
            var outcome = i < end.Taken ? _outcomes[i] : default;
            // Items that were claimed and never reported, and those that were never claimed, have not been started.
            outcomes[i] = outcome.Reason == OutcomeReason.NotStarted ? outcome with { Index = i } : outcome;
        }
        _outcomes.Return();
        builder.SetResult(outcomes);
    }

    // There is no array to return: the exception contains the outcomes.
    private Exception ToThrow(in RunEnd end)
    {
        var results = new List<KeyValuePair<long, TResult>>();
        var failures = new List<FlowFailure>();
        for (var i = 0L; i < end.Taken; i++)
        {
            var outcome = _outcomes[i];
            if (outcome.HasValue)
                results.Add(new KeyValuePair<long, TResult>(i, outcome.Value));
            else if (outcome.Exception is { } exception)
                failures.Add(new FlowFailure(i, exception, outcome.Reason, outcome.Attempts));
        }
        return (end with { Failures = failures }).ToThrowWith(results);
    }
}
