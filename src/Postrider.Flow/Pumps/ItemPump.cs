// Hot path: Pump, ItemRun -> this -> Gates. Allocations: none unless an item fails.
using System.Diagnostics;
using Postrider.Flow.Gates;
using Postrider.Flow.Outcomes;
using Postrider.Resilience;

namespace Postrider.Flow.Pumps;

/// <summary>The slow path of an item: gates, retries, failures. Everything that does not depend on the source of the items.</summary>
internal abstract class ItemPump<TItem, TResult, TPending> : QueuedPump<TItem, TResult, TPending>
    where TPending : struct, IPending<TResult>
{
    protected ItemSettings<TItem>? ItemSettings { get; private set; }

    private Func<TItem, FlowFailure, TResult>? _fallback;
    private List<FlowFailure>? _failures;   // guarded by QueueLock
    private bool _timed;

    /// <summary>Calls the body.</summary>
    protected abstract TPending Invoke(TItem item, CancellationToken ct);

    /// <summary>Releases an item that has ended.</summary>
    protected abstract void Release(TItem item);

    protected abstract void Succeed(long index, TResult value);

    protected abstract void Settle(in Outcome<TResult> outcome);

    protected abstract bool WantsOutcomes { get; }

    /// <summary>True if items that were taken and not started are dropped. A drained operation starts what its source could not
    /// give to anyone else.</summary>
    protected abstract bool DropsTaken { get; }

    protected List<FlowFailure>? TakeFailures()
    {
        lock (QueueLock)
        {
            var failures = _failures;
            _failures = null;
            return failures;
        }
    }

    protected void BeginItems()
    {
        ItemSettings = Settings.Typed as ItemSettings<TItem>;
        Lanes = ItemSettings?.Key?.MakeLanes();
        _failures = null;
        _fallback = (Settings.Typed as ItemSettings<TItem, TResult>)?.Fallback;
        _timed = WantsOutcomes || Settings.ItemTimeout > TimeSpan.Zero || Settings.Adaptive is not null
            || Settings.CircuitBreaker is { CountsSlowCalls: true } || ItemSettings?.CircuitBreakerFor is not null;
    }

    /// <summary>Advances an item as far as possible without waiting. The caller owns a slot and a reference.</summary>
    protected ItemStep Advance(ItemRun<TItem, TResult, TPending> run)
    {
        while (true)
        {
            var step = AdvanceGuarded(run);
            if (step != ItemStep.Settled)
                return step;
            var item = run.Item;
            Release(item);
            if (!run.HasLane || !TryNextOfKey(item, out var next, out var index))
            {
                run.Clear();
                return ItemStep.Settled;
            }
            if (IsParkedForRoom)
                Unpark(onThisThread: false);
            run.Begin(next, index);
            run.HasLane = true;
        }
    }

    /// <summary>Starts an item, in its lane if there are lanes.</summary>
    /// <returns>False if another item of its key is running: the item is queued after it.</returns>
    protected bool TryBegin(ItemRun<TItem, TResult, TPending> run, TItem item, long index)
    {
        run.Begin(item, index);
        if (Lanes is null)
            return true;
        try
        {
            return run.HasLane = Lanes.TryEnter(item, index);
        }
        catch (Exception thrown)
        {
            run.Failure = thrown;
            run.Phase = ItemPhase.Rejected;
            return true;
        }
        finally
        {
            QueueFreed();
        }
    }

    /// <summary>The first attempt threw before it could suspend; the caller has entered the gates of the short way.</summary>
    protected ItemStep FailFirst(ItemRun<TItem, TResult, TPending> run, Exception failure)
    {
        run.Failure = failure;
        run.Phase = ItemPhase.Ended;
        return Advance(run);
    }

    private bool TryNextOfKey(TItem ended, out TItem next, out long index)
    {
        try
        {
            return Lanes!.TryNext(ended, out next, out index);
        }
        catch (Exception thrown)
        {
            // A selector that returned the key before now throws: the lane to continue with is unknown.
            Stop(StopCause.Broken, thrown);
            (next, index) = (default!, 0);
            return false;
        }
    }

    private ItemStep AdvanceGuarded(ItemRun<TItem, TResult, TPending> run)
    {
        try
        {
            return AdvanceUnguarded(run);
        }
        catch (Exception thrown)
        {
            // Bodies, gates and selectors fail their item below; an exception here comes from a hook that the item waits for.
            Stop(StopCause.Broken, thrown);
            LeaveGates(run, succeeded: false, failure: null, elapsed: default);
            return run.Phase == ItemPhase.Reported ? ItemStep.Settled : ReportOutcome(run, OutcomeReason.Cancelled);
        }
    }

    private ItemStep AdvanceUnguarded(ItemRun<TItem, TResult, TPending> run)
    {
        if (run.Wait == ItemWait.Gate)
            TakeGate(run);
        run.Wait = ItemWait.None;
        while (true)
        {
            switch (run.Phase)
            {
                case ItemPhase.Start:
                    if (DropsTaken)
                        return ReportOutcome(run, OutcomeReason.NotStarted);
                    run.FirstStarted = _timed ? Settings.Time.GetTimestamp() : 0;
                    run.Phase = ItemPhase.Enter;
                    CountStarted();
                    Settings.Retry?.Budget?.Deposit();
                    if (Settings.Hooks?.OnStart is { } onStart && !Passes(run, onStart(run.Index)))
                        return ItemStep.Suspended;
                    break;
                case ItemPhase.Enter:
                    if (IsCancelling)
                        return ReportOutcome(run, OutcomeReason.Cancelled);
                    run.Attempt++;
                    run.Phase = ItemPhase.Weigh;
                    if (!TryEnterGates(run))
                        return ItemStep.Suspended;
                    break;
                case ItemPhase.Weigh:
                    run.Phase = ItemPhase.Call;
                    if (!TryWeigh(run))
                        return ItemStep.Suspended;
                    break;
                case ItemPhase.Call:
                    if (!TryCall(run))
                        return ItemStep.Suspended;
                    break;
                case ItemPhase.Ended:
                    if (TryEnd(run, out var value))
                        return Deliver(run, value, OutcomeReason.Succeeded);
                    if (!TryRetry(run, out var hook))
                        return GiveUp(run);
                    run.Phase = ItemPhase.BackOff;
                    if (!Passes(run, hook))
                        return ItemStep.Suspended;
                    break;
                case ItemPhase.BackOff:
                    run.Phase = ItemPhase.Enter;
                    if (run.Delay <= TimeSpan.Zero)
                        break;
                    run.Wait = ItemWait.Timer;
                    return Settings.Retry!.HoldSlot ? ItemStep.Suspended : ItemStep.Released;
                case ItemPhase.Rejected:
                    run.Reason = OutcomeReason.Failed;
                    return GiveUp(run);
                case ItemPhase.Verdict:
                    return ApplyVerdict(run);
                default:
                    return ItemStep.Settled;
            }
        }
    }

    private bool Passes(ItemRun<TItem, TResult, TPending> run, ValueTask gate, bool isHook = true)
    {
        if (gate.IsCompletedSuccessfully)
        {
            gate.GetAwaiter().GetResult();
            return true;
        }
        run.Gate = gate;
        run.HasVerdict = false;
        run.GateIsHook = isHook;
        run.Wait = ItemWait.Gate;
        if (!gate.IsCompleted)
            return false;
        TakeGate(run);
        run.Wait = ItemWait.None;
        return true;
    }

    // The wait for a hook or a bulkhead is over; a hook's exception ends the operation, a bulkhead's fails the item.
    private static void TakeGate(ItemRun<TItem, TResult, TPending> run)
    {
        if (run.HasVerdict)
            return;
        var gate = run.Gate;
        run.Gate = default;
        if (run.GateIsHook)
        {
            gate.GetAwaiter().GetResult();
            return;
        }
        try
        {
            gate.GetAwaiter().GetResult();
            run.HoldsWeight = true;
        }
        catch (Exception refused)
        {
            Reject(run, refused);
        }
    }

    // The attempt ends before its call: the breaker gets no result, and permits are returned.
    private static void Reject(ItemRun<TItem, TResult, TPending> run, Exception refusal)
    {
        if (run.TookLimit)
        {
            run.TookLimit = false;
            run.Limiter!.Return(run.Cost);
        }
        if (run.CircuitBreaker is { } breaker)
        {
            run.CircuitBreaker = null;
            breaker.OnAbandoned(run.Ticket);
        }
        run.Failure = refusal;
        run.Phase = ItemPhase.Ended;
        run.CallStarted = 0;
    }

    private bool TryEnterGates(ItemRun<TItem, TResult, TPending> run)
    {
        try
        {
            run.CircuitBreaker = ItemSettings?.CircuitBreakerFor is { } breakerFor ? breakerFor(run.Item) : Settings.CircuitBreaker;
            if (run.CircuitBreaker is not null && !run.CircuitBreaker.TryEnter(out run.Ticket))
            {
                var refusal = run.CircuitBreaker.Refusal();
                run.CircuitBreaker = null;
                throw refusal;
            }
            run.Limiter = ItemSettings?.RateLimitFor is { } limitFor ? limitFor(run.Item) : Settings.RateLimit;
            if (run.Limiter is null)
                return true;
            run.Cost = ItemSettings?.Cost is { } cost ? cost(run.Item) : 1;
            var wait = run.Limiter.Reserve(run.Cost);
            run.TookLimit = true;
            if (wait <= TimeSpan.Zero)
                return true;
            CountThrottled();
            run.Delay = wait;
            run.Wait = ItemWait.Timer;
        }
        catch (Exception refused)
        {
            Reject(run, refused);
            return true;
        }
        Settings.Hooks?.NotifyThrottled(run.Index, run.Delay);
        return false;
    }

    private bool TryWeigh(ItemRun<TItem, TResult, TPending> run)
    {
        if (Settings.Bulkhead is not { } bulkhead)
            return true;
        try
        {
            run.Weight = ItemSettings?.Weight is { } weight ? weight(run.Item) : 1;
            var entry = bulkhead.AcquireAsync(run.Weight, Token);
            if (!Passes(run, entry, isHook: false))
                return false;
            run.HoldsWeight |= run.Failure is null;
        }
        catch (Exception refused)
        {
            Reject(run, refused);
        }
        return true;
    }

    private bool TryCall(ItemRun<TItem, TResult, TPending> run)
    {
        if (IsCancelling)
        {
            Reject(run, new OperationCanceledException(Token));
            return true;
        }
        // The breaker may have opened while the item waited for the rate limit.
        if (run.CircuitBreaker is { IsClosed: false } breaker && !run.Ticket.IsProbe)
        {
            Reject(run, breaker.Refusal());
            return true;
        }
        run.Phase = ItemPhase.Ended;
        try
        {
            run.CallStarted = _timed ? Math.Max(1, Settings.Time.GetTimestamp()) : 0;
            run.Pending = Invoke(run.Item, Settings.ItemTimeout > TimeSpan.Zero ? run.BeginTimeout(run.CallStarted) : Token);
        }
        catch (Exception thrown)
        {
            run.Failure = thrown;
            return true;
        }
        if (run.Pending.IsCompleted)
            return true;
        run.Wait = ItemWait.Body;
        return false;
    }

    private bool TryEnd(ItemRun<TItem, TResult, TPending> run, out TResult value)
    {
        value = default!;
        if (run.Failure is null)
        {
            try
            {
                value = run.Pending.GetResult();
            }
            catch (Exception thrown)
            {
                run.Failure = thrown;
            }
        }
        run.Pending = default;
        var timedOut = run.CallStarted != 0 && Settings.ItemTimeout > TimeSpan.Zero && run.EndTimeout();
        var elapsed = run.CallStarted != 0 ? Settings.Time.GetElapsedTime(run.CallStarted) : default;
        run.CallStarted = 0;
        if (run.Failure is null)
        {
            LeaveGates(run, succeeded: true, failure: null, elapsed);
            return true;
        }
        run.Reason = OutcomeReason.Failed;
        if (run.Failure is OperationCanceledException cancelled)
        {
            if (IsCancelling)
            {
                run.Reason = OutcomeReason.Cancelled;
            }
            else if (timedOut)
            {
                run.Failure = new TimeoutException($"Item {run.Index} took longer than the ItemTimeout of {Settings.ItemTimeout}.", cancelled);
                run.Reason = OutcomeReason.TimedOut;
            }
        }
        else if (run.Failure is CircuitBreakerOpenException)
        {
            run.Reason = OutcomeReason.Rejected;
        }
        LeaveGates(run, succeeded: false, run.Reason == OutcomeReason.Cancelled ? null : run.Failure, elapsed);
        return false;
    }

    // Reports the result to every gate once; failure null and not succeeded means: no result.
    private void LeaveGates(ItemRun<TItem, TResult, TPending> run, bool succeeded, Exception? failure, TimeSpan elapsed)
    {
        if (run.HoldsWeight)
        {
            run.HoldsWeight = false;
            Settings.Bulkhead!.Release(run.Weight);
        }
        run.TookLimit = false;
        if (run.CircuitBreaker is { } breaker)
        {
            run.CircuitBreaker = null;
            if (succeeded)
                breaker.OnSuccess(run.Ticket, elapsed);
            else if (failure is null)
                breaker.OnAbandoned(run.Ticket);
            else
                breaker.OnFailure(run.Ticket, failure, elapsed);
        }
        if (elapsed > TimeSpan.Zero && failure is not null)
            Settings.Adaptive?.Record(elapsed, failure, InFlight);
        else if (elapsed > TimeSpan.Zero && succeeded)
            Settings.Adaptive?.Record(elapsed, succeeded, InFlight);
    }

    private bool TryRetry(ItemRun<TItem, TResult, TPending> run, out ValueTask hook)
    {
        hook = default;
        if (IsCancelling || Settings.Retry is not { } retry
            || !retry.TryPlan(run.Failure!, run.Attempt, run.PreviousDelay, out var delay))
            return false;
        CountRetry();
        run.Delay = run.PreviousDelay = delay;
        if (Settings.Hooks?.OnRetry is { } onRetry)
            hook = onRetry(run.Index, run.Attempt, run.Failure!, delay);
        run.Failure = null;
        return true;
    }

    private ItemStep GiveUp(ItemRun<TItem, TResult, TPending> run)
    {
        if (run.Reason == OutcomeReason.Cancelled)
            return ReportOutcome(run, OutcomeReason.Cancelled);
        if (TryFallBack(run, out var value))
            return Deliver(run, value, OutcomeReason.FellBack);
        if (Settings.Hooks?.OnFailure is not { } onFailure)
            return Fail(run, goOn: true);
        run.Phase = ItemPhase.Verdict;
        run.Verdict = onFailure(new FlowFailure(run.Index, run.Failure!, run.Reason, run.Attempt));
        if (run.Verdict.IsCompleted)
            return ApplyVerdict(run);
        run.HasVerdict = true;
        run.Wait = ItemWait.Gate;
        return ItemStep.Suspended;
    }

    private bool TryFallBack(ItemRun<TItem, TResult, TPending> run, out TResult value)
    {
        value = default!;
        if (_fallback is null)
            return false;
        try
        {
            value = _fallback(run.Item, new FlowFailure(run.Index, run.Failure!, run.Reason, run.Attempt));
            return true;
        }
        catch (Exception thrown)
        {
            run.Failure = new AggregateException($"Item {run.Index} failed, and so did its fallback.", run.Failure!, thrown);
            return false;
        }
    }

    private ItemStep ApplyVerdict(ItemRun<TItem, TResult, TPending> run)
    {
        var verdict = run.Verdict;
        run.Verdict = default;
        run.HasVerdict = false;
        return Fail(run, verdict.GetAwaiter().GetResult());
    }

    private ItemStep Fail(ItemRun<TItem, TResult, TPending> run, bool goOn)
    {
        Debug.Assert(run.Failure is not null, "A failure must have an exception.");
        CountFailed();
        if (Settings.CollectErrors)
        {
            lock (QueueLock)
                (_failures ??= []).Add(new FlowFailure(run.Index, run.Failure, run.Reason, run.Attempt));
        }
        if (Settings.StopOnError || (!goOn && Settings.Partial == PartialResults.Throw))
            Stop(StopCause.Failed, run.Failure);
        else if (!goOn)
            Stop(StopCause.HookStopped, Settings.EndOfStopped(run.Index, run.Failure));
        return ReportOutcome(run, run.Reason);
    }

    private ItemStep Deliver(ItemRun<TItem, TResult, TPending> run, TResult value, OutcomeReason reason)
    {
        CountCompleted();
        if (WantsOutcomes)
            Settle(new Outcome<TResult>(run.Index, reason, value, run.Failure, run.Attempt, Since(run)));
        else
            Succeed(run.Index, value);
        run.Phase = ItemPhase.Reported;
        return Settings.Hooks?.OnSuccess is { } onSuccess && !Passes(run, onSuccess(run.Index)) ? ItemStep.Suspended : ItemStep.Settled;
    }

    private ItemStep ReportOutcome(ItemRun<TItem, TResult, TPending> run, OutcomeReason reason)
    {
        run.Phase = ItemPhase.Reported;
        Settle(new Outcome<TResult>(run.Index, reason, default, run.Failure, run.Attempt, Since(run)));
        return ItemStep.Settled;
    }

    private TimeSpan Since(ItemRun<TItem, TResult, TPending> run) => run.FirstStarted == 0 ? TimeSpan.Zero : Settings.Time.GetElapsedTime(run.FirstStarted);
}
