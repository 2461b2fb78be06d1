using System.Runtime.CompilerServices;
using Postrider.Middleware;
using Postrider.Resilience;
using Postrider.Rpc.Dispatching;

namespace Postrider.Rpc;

/// <summary>Runs calls in a dispatcher's pipeline. Used by generated code.</summary>
/// <remarks>Failures of the pipeline's own middleware map to a status: an invalid message is <see cref="RpcStatus.InvalidData"/> with the
/// validators' messages, a rejected one <see cref="RpcStatus.Forbidden"/>, a middleware timeout <see cref="RpcStatus.DeadlineExceeded"/>,
/// an open circuit breaker <see cref="RpcStatus.Unavailable"/>, a full queue <see cref="RpcStatus.Busy"/>. Exceptions of handlers pass
/// unchanged.</remarks>
public static class DispatcherCalls
{
    /// <summary>Sends a request to its handler.</summary>
    /// <typeparam name="TResponse">The handler's result.</typeparam>
    /// <param name="dispatcher">The dispatcher.</param>
    /// <param name="request">The message.</param>
    /// <param name="context">The context of the call, passed to the handler's message context; or null.</param>
    /// <param name="ct">Cancels the handler's token.</param>
    /// <returns>The handler's result.</returns>
    public static ValueTask<TResponse> SendAsync<TResponse>(IDispatcher dispatcher, IRequest<TResponse>? request, CallContext? context, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(dispatcher);
        try
        {
            var call = DispatcherOrigin.For(dispatcher, context).SendAsync(Known(request), ct);
            return call.IsCompletedSuccessfully ? call : AwaitAsync(call);
        }
        catch (Exception failure) when (IsRefusal(failure))
        {
            throw Refusal(failure);
        }
    }

    /// <summary>Sends a command to its handler.</summary>
    /// <param name="dispatcher">The dispatcher.</param>
    /// <param name="command">The message.</param>
    /// <param name="context">The context of the call, passed to the handler's message context; or null.</param>
    /// <param name="ct">Cancels the handler's token.</param>
    /// <returns>A task that completes when the handler has run.</returns>
    public static ValueTask<Unit> SendAsync(IDispatcher dispatcher, ICommand? command, CallContext? context, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(dispatcher);
        return RunAsync(Known(command), static (dispatcher, command, ct) => dispatcher.SendAsync(command, ct), DispatcherOrigin.For(dispatcher, context), ct);
    }

    /// <summary>Publishes a notification to its handlers.</summary>
    /// <param name="dispatcher">The dispatcher.</param>
    /// <param name="notification">The message.</param>
    /// <param name="context">The context of the call, passed to the handler's message context; or null.</param>
    /// <param name="ct">Cancels the handlers' token.</param>
    /// <returns>A task that completes when the handlers have run, or as the notification's publish strategy defines.</returns>
    public static ValueTask<Unit> PublishAsync(IDispatcher dispatcher, INotification? notification, CallContext? context, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(dispatcher);
        return RunAsync(Known(notification), static (dispatcher, notification, ct) => dispatcher.PublishAsync(notification, ct), DispatcherOrigin.For(dispatcher, context), ct);
    }

    /// <summary>Requests a stream.</summary>
    /// <typeparam name="TItem">The handler's items.</typeparam>
    /// <param name="dispatcher">The dispatcher.</param>
    /// <param name="request">The message.</param>
    /// <param name="context">The context of the call, passed to the handler's message context; or null.</param>
    /// <param name="ct">Cancels the handler's token.</param>
    /// <returns>The handler's items.</returns>
    public static IAsyncEnumerable<TItem> StreamAsync<TItem>(IDispatcher dispatcher, IStreamRequest<TItem>? request, CallContext? context, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(dispatcher);
        return ReadAsync(DispatcherOrigin.For(dispatcher, context), Known(request), ct);
    }

    private static async ValueTask<Unit> RunAsync<TMessage>(
        TMessage message, Func<IDispatcher, TMessage, CancellationToken, ValueTask> run, IDispatcher dispatcher, CancellationToken ct)
    {
        try
        {
            await run(dispatcher, message, ct).ConfigureAwait(false);
            return default;
        }
        catch (Exception failure) when (IsRefusal(failure))
        {
            throw Refusal(failure);
        }
    }

    private static async ValueTask<TResponse> AwaitAsync<TResponse>(ValueTask<TResponse> call)
    {
        try
        {
            return await call.ConfigureAwait(false);
        }
        catch (Exception failure) when (IsRefusal(failure))
        {
            throw Refusal(failure);
        }
    }

    private static async IAsyncEnumerable<TItem> ReadAsync<TItem>(IDispatcher dispatcher, IStreamRequest<TItem> request, [EnumeratorCancellation] CancellationToken ct)
    {
        var items = dispatcher.StreamAsync(request, ct).GetAsyncEnumerator(ct);
        await using (items.ConfigureAwait(false))
        {
            while (true)
            {
                try
                {
                    if (!await items.MoveNextAsync().ConfigureAwait(false))
                        yield break;
                }
                catch (Exception failure) when (IsRefusal(failure))
                {
                    throw Refusal(failure);
                }

                yield return items.Current;
            }
        }
    }

    private static T Known<T>(T? message)
        where T : class
        => message ?? throw new RpcException(RpcStatus.InvalidData, "The message is null.");

    private static bool IsRefusal(Exception failure)
        => failure is PostriderException { Error: PostriderError.Refused or PostriderError.QueueFull } or CircuitBreakerOpenException or TimeoutException;

    private static RpcException Refusal(Exception failure) => failure switch
    {
        InvalidMessageException => new(RpcStatus.InvalidData, failure.Message, failure),
        PostriderException { Error: PostriderError.Refused } => new(RpcStatus.Forbidden, "The message was rejected.", failure),
        PostriderException => new(RpcStatus.Busy, "The queue is full.", failure),
        CircuitBreakerOpenException => new(RpcStatus.Unavailable, "A dependency of the handler is unavailable.", failure),
        _ => new(RpcStatus.DeadlineExceeded, "The handler exceeded its deadline.", failure),
    };
}
