using System.Runtime.CompilerServices;
using Postrider.Resilience;

namespace Postrider.Rpc.Balancing;

/// <summary>Calls one operation over the channels.</summary>
internal sealed class BalancedInvoker<TRequest, TItem, TResponse> : OperationInvoker<TRequest, TItem, TResponse>
{
    private readonly (BalancedTarget Target, OperationInvoker<TRequest, TItem, TResponse> Invoker)[] _channels;
    private readonly Operation _operation;
    private readonly BalancedChannelOptions _options;
    private readonly RetryPolicy? _retry;
    private readonly Func<Attempt, CancellationToken, ValueTask<TResponse>> _attempt;

    public BalancedInvoker((BalancedTarget Target, OperationInvoker<TRequest, TItem, TResponse> Invoker)[] channels, Operation operation, BalancedChannelOptions options)
    {
        (_channels, _operation, _options) = (channels, operation, options);
        if (operation.IsIdempotent)
            _retry = options.Retry is { } retry ? retry with { Handle = retry.Handle ?? BalancedTarget.IsIllness } : null;
        _attempt = operation.IsIdempotent && options.Hedge is { } hedge ? Hedged(hedge, options.TimeProvider) : CallOnceAsync;
    }

    private bool IsHedged => _operation.IsIdempotent && _options.Hedge is not null;

    public override async ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
    {
        var call = new Attempt(request, items, context, _options.TimeProvider.GetTimestamp());
        var delay = TimeSpan.Zero;
        _retry?.Budget?.Deposit();
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                return await _attempt(call, ct).ConfigureAwait(false);
            }
            catch (Exception failure) when (items is null && !ct.IsCancellationRequested && _retry is { } retry && retry.TryPlan(failure, attempt, delay, out delay))
            {
                // If the call's time ends during the pause, the pause is skipped.
                if (Left(call) <= delay)
                    throw new RpcException(RpcStatus.DeadlineExceeded, $"{_operation.Path} has no time for another attempt: {failure.Message}", failure);
            }

            if (delay > TimeSpan.Zero)
                await Task.Delay(delay, _options.TimeProvider, ct).ConfigureAwait(false);
        }
    }

    public override async IAsyncEnumerable<TResponse> StreamAsync(
        TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, [EnumeratorCancellation] CancellationToken ct)
    {
        var call = new Attempt(request, items, context, _options.TimeProvider.GetTimestamp());
        RpcException? refusal = null;
        var tried = new bool[_channels.Length];
        while (TryChoose(tried, out var at, out var ticket))
        {
            tried[at] = true;
            var (target, caller) = _channels[at];
            Exception? failure = null;
            var hasBegun = false;
            target.Begin();
            var answers = caller.StreamAsync(request, items, Context(call, hasOwnAnswer: false), ct).GetAsyncEnumerator(ct);
            try
            {
                while (true)
                {
                    try
                    {
                        if (!await answers.MoveNextAsync().ConfigureAwait(false))
                            yield break;
                    }
                    catch (RpcException unsent) when (!hasBegun && IsRefusal(unsent))
                    {
                        failure = refusal = unsent;
                        break;
                    }
                    catch (Exception end)
                    {
                        failure = end;
                        throw;
                    }

                    hasBegun = true;
                    yield return answers.Current;
                }
            }
            finally
            {
                target.Note(ticket, failure);
                target.End();
                await answers.DisposeAsync().ConfigureAwait(false);
            }
        }

        throw refusal ?? NoneHealthy();
    }

    // The call certainly was not sent: another channel may take it.
    private static bool IsRefusal(RpcException failure) => failure is { IsUnsent: true, Status: not RpcStatus.DeadlineExceeded };

    private Func<Attempt, CancellationToken, ValueTask<TResponse>> Hedged(Hedge hedge, TimeProvider time)
    {
        Func<Attempt, CancellationToken, ValueTask<TResponse>> once = CallOnceAsync;
        return (call, ct) => hedge.ExecuteAsync(once, call, time, ct);
    }

    // Until one channel has accepted it, or all have rejected it.
    private async ValueTask<TResponse> CallOnceAsync(Attempt call, CancellationToken ct)
    {
        var context = Context(call, IsHedged);
        RpcException? refusal = null;
        var tried = new bool[_channels.Length];
        while (TryChoose(tried, out var at, out var ticket))
        {
            tried[at] = true;
            var (target, caller) = _channels[at];
            target.Begin();
            try
            {
                var response = await caller.CallAsync(call.Request, call.Items, context, ct).ConfigureAwait(false);
                target.Note(ticket, null);
                if (IsHedged)
                    CopyHeaders(context, call.Context);
                return response;
            }
            catch (RpcException failure) when (IsRefusal(failure))
            {
                target.Note(ticket, failure);
                refusal = failure;
            }
            catch (Exception failure)
            {
                target.Note(ticket, failure);
                throw;
            }
            finally
            {
                target.End();
            }
        }

        throw refusal ?? NoneHealthy();
    }

    // The remaining time of the call; concurrent attempts each get their own headers.
    private CallContext? Context(Attempt call, bool hasOwnAnswer)
    {
        if (call.Context is not { } context || (!hasOwnAnswer && context.Timeout is null))
            return call.Context;
        var left = Left(call);
        if (left <= TimeSpan.Zero)
            throw CallTimeout.Exceeded(_operation.Path);
        return context.Again(left ?? context.Timeout, hasOwnAnswer);
    }

    // Null for a call whose context has no timeout.
    private TimeSpan? Left(Attempt call) => CallTimeout.ToWire(call.Context) is { } time ? time - _options.TimeProvider.GetElapsedTime(call.Began) : null;

    private static void CopyHeaders(CallContext? from, CallContext? to)
    {
        if (to is null || from?.ResponseHeadersOrNull is not { } headers)
            return;
        foreach (var (name, value) in headers)
            to.ResponseHeaders[name] = value;
    }

    // The less busy of two, or the next healthy channel that was not tried.
    private bool TryChoose(ReadOnlySpan<bool> tried, out int at, out CircuitBreakerTicket ticket)
    {
        at = 0;
        if (_channels.Length > 1)
        {
            at = _options.Random.Next(_channels.Length);
            var other = (at + 1 + _options.Random.Next(_channels.Length - 1)) % _channels.Length;
            if (_channels[other].Target.UnderWay < _channels[at].Target.UnderWay)
                at = other;
        }

        for (var i = 0; i < _channels.Length; i++)
        {
            if ((tried.IsEmpty || !tried[at]) && _channels[at].Target.Health.TryEnter(out ticket))
                return true;
            at = (at + 1) % _channels.Length;
        }

        ticket = default;
        return false;
    }

    private RpcException NoneHealthy()
        => new(RpcStatus.Unavailable, $"None of {_channels.Length} channels to {_operation.Path} is healthy.") { IsUnsent = true };

    internal sealed record Attempt(TRequest Request, IAsyncEnumerable<TItem>? Items, CallContext? Context, long Began);
}
