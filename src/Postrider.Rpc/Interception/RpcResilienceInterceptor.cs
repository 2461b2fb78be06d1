using Postrider.Resilience;

namespace Postrider.Rpc;

/// <summary>Guards the calls of a channel with a bulkhead, a circuit breaker and a rate limit.</summary>
/// <remarks>The order is that of <c>Postrider.Flow</c>: the bulkhead, then the breaker, then the rate limit. A call with its retries and
/// hedges (<see cref="BalancedChannelOptions"/>) counts once. Waits count towards the call's timeout. Add it to a channel:
/// <c>channel.WithInterceptors(new RpcResilienceInterceptor(options))</c>; channels of a container have the keys <c>Bulkhead</c>,
/// <c>CircuitBreaker</c> and <c>RateLimit</c>. Thread-safe.</remarks>
public sealed class RpcResilienceInterceptor : RpcInterceptor
{
    // Waits without a limit: the longest time of a timer.
    private static readonly TimeSpan s_longest = TimeSpan.FromMilliseconds(int.MaxValue);

    private readonly RpcResilienceOptions _options;

    /// <summary>Creates an interceptor.</summary>
    /// <param name="options">The options.</param>
    /// <exception cref="ArgumentException">An option is out of range; the message names it.</exception>
    public RpcResilienceInterceptor(RpcResilienceOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        _options = options;
    }

    private TimeProvider Time => _options.TimeProvider;

    /// <inheritdoc/>
    /// <exception cref="RpcException">The call was not sent: <see cref="RpcStatus.Unavailable"/> if the breaker is open (the cause is a
    /// <see cref="CircuitBreakerOpenException"/>), <see cref="RpcStatus.Busy"/> if it would wait too long for the rate limit,
    /// <see cref="RpcStatus.DeadlineExceeded"/> if its time ended while it waited for the bulkhead.</exception>
    public override async ValueTask<TResponse> CallAsync<TRequest, TItem, TResponse>(RpcCall<TRequest, TItem> call, RpcCallNext<TRequest, TItem, TResponse> next)
    {
        ArgumentNullException.ThrowIfNull(next);
        var began = Time.GetTimestamp();
        var hasWaited = await EnterAsync(call.Operation, call.Context, call.CancellationToken).ConfigureAwait(false);
        try
        {
            var ticket = Admit(call.Operation);
            hasWaited |= await TakePermitAsync(call.Operation, call.Context, began, ticket, call.CancellationToken).ConfigureAwait(false);
            var sent = _options.CircuitBreaker is { CountsSlowCalls: true } ? Time.GetTimestamp() : 0;
            TResponse response;
            try
            {
                response = await next(hasWaited ? Shortened(call, began) : call).ConfigureAwait(false);
            }
            catch (Exception failure)
            {
                Note(ticket, failure, sent);
                throw;
            }

            Note(ticket, failure: null, sent);
            return response;
        }
        finally
        {
            _options.Bulkhead?.Release();
        }
    }

    /// <inheritdoc/>
    /// <inheritdoc cref="CallAsync" path="/exception"/>
    public override async IAsyncEnumerable<TResponse> StreamAsync<TRequest, TItem, TResponse>(RpcCall<TRequest, TItem> call, RpcStreamNext<TRequest, TItem, TResponse> next)
    {
        ArgumentNullException.ThrowIfNull(next);
        var began = Time.GetTimestamp();
        var hasWaited = await EnterAsync(call.Operation, call.Context, call.CancellationToken).ConfigureAwait(false);
        try
        {
            var ticket = Admit(call.Operation);
            hasWaited |= await TakePermitAsync(call.Operation, call.Context, began, ticket, call.CancellationToken).ConfigureAwait(false);

            // A stream that is left before its first item says nothing about the service.
            Exception? outcome = new OperationCanceledException();
            var items = next(hasWaited ? Shortened(call, began) : call).GetAsyncEnumerator(call.CancellationToken);
            try
            {
                while (true)
                {
                    try
                    {
                        if (!await items.MoveNextAsync().ConfigureAwait(false))
                            break;
                    }
                    catch (Exception failure)
                    {
                        outcome = failure;
                        throw;
                    }

                    outcome = null;
                    yield return items.Current;
                }

                outcome = null;
            }
            finally
            {
                Note(ticket, outcome, sent: 0);
                await items.DisposeAsync().ConfigureAwait(false);
            }
        }
        finally
        {
            _options.Bulkhead?.Release();
        }
    }

    // Whether the service, or the way to it, is not in order.
    private static bool IsIllness(Exception failure) => failure switch
    {
        IRpcFault => false,
        RpcException { Status: var status } => status is RpcStatus.Unavailable or RpcStatus.Busy or RpcStatus.DeadlineExceeded or RpcStatus.Internal
            or RpcStatus.Unknown or RpcStatus.DataLoss or RpcStatus.ProtocolError,
        _ => true,
    };

    private TimeSpan Limit(CallContext context)
        => CallTimeout.Clamp(context, _options.Timeout) is var limit && limit == Timeout.InfiniteTimeSpan ? s_longest : limit;

    private RpcCall<TRequest, TItem> Shortened<TRequest, TItem>(RpcCall<TRequest, TItem> call, long began)
    {
        if (CallTimeout.Clamp(call.Context, _options.Timeout) == Timeout.InfiniteTimeSpan)
            return call;
        var left = Limit(call.Context) - Time.GetElapsedTime(began);
        return call with { Context = call.Context.Again(left > TimeSpan.Zero ? left : TimeSpan.Zero, hasOwnAnswer: false) };
    }

    // Whether it had to wait.
    private async ValueTask<bool> EnterAsync(Operation operation, CallContext context, CancellationToken ct)
    {
        if (_options.Bulkhead is not { } bulkhead || bulkhead.TryAcquire())
            return false;
        var limit = Limit(context);
        using var deadline = new DeadlineTokenSource(Time, limit, ct);
        try
        {
            await bulkhead.AcquireAsync(ct: deadline.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException late) when (!ct.IsCancellationRequested)
        {
            throw new RpcException(RpcStatus.DeadlineExceeded, $"{operation.Path} was not called: it waited {limit} for the bulkhead, whose capacity is {bulkhead.Capacity}.", late) { IsUnsent = true };
        }

        return true;
    }

    private CircuitBreakerTicket Admit(Operation operation)
    {
        var ticket = default(CircuitBreakerTicket);
        if (_options.CircuitBreaker is not { } breaker || breaker.TryEnter(out ticket))
            return ticket;
        var refusal = breaker.Refusal();
        throw new RpcException(RpcStatus.Unavailable, $"{operation.Path} was not called: {refusal.Message}", refusal) { IsUnsent = true };
    }

    // Whether it had to wait.
    private async ValueTask<bool> TakePermitAsync(Operation operation, CallContext context, long began, CircuitBreakerTicket ticket, CancellationToken ct)
    {
        if (_options.RateLimit is not { } rate || rate.TryAcquire())
            return false;
        var wait = rate.Reserve();
        var left = Limit(context) - Time.GetElapsedTime(began);
        if (wait >= left)
        {
            rate.Return();
            _options.CircuitBreaker?.OnAbandoned(ticket);
            throw new RpcException(RpcStatus.Busy, $"{operation.Path} was not called: it would wait {wait} for the rate limit, and {(left > TimeSpan.Zero ? left : TimeSpan.Zero)} are left of its time.") { IsUnsent = true };
        }

        try
        {
            await Task.Delay(wait, Time, ct).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            rate.Return();
            _options.CircuitBreaker?.OnAbandoned(ticket);
            throw;
        }

        return true;
    }

    private void Note(CircuitBreakerTicket ticket, Exception? failure, long sent)
    {
        if (_options.CircuitBreaker is not { } breaker)
            return;
        var elapsed = sent == 0 ? TimeSpan.Zero : Time.GetElapsedTime(sent);
        if (failure is OperationCanceledException or RpcException { Status: RpcStatus.Cancelled })
            breaker.OnAbandoned(ticket);
        else if (failure is null || !IsIllness(failure))
            breaker.OnSuccess(ticket, elapsed);
        else
            breaker.OnFailure(ticket, failure, elapsed);
    }
}
