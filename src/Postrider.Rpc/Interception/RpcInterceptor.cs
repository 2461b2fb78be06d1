using Postrider.Rpc.Interception;

namespace Postrider.Rpc;

/// <summary>Code that runs around every call of a channel or of a service, over every transport: logging, authorization, headers,
/// deadlines, retries.</summary>
/// <remarks>
/// <para>Override <see cref="CallAsync"/> for operations that return a message or nothing, and <see cref="StreamAsync"/> for those that
/// return a stream. An override that does not call <c>next</c> completes the call itself; one that throws ends it:
/// <see cref="RpcException"/> with its status, a declared fault as that fault, any other exception as
/// <see cref="RpcStatus.Internal"/>. Items of a request stream are seen by replacing <see cref="RpcCall{TRequest, TItem}.Items"/>.</para>
/// <para>One instance serves all calls: it must be thread-safe. Add it with <c>channel.WithInterceptors(…)</c> or
/// <c>service.WithInterceptors(…)</c>.</para>
/// </remarks>
/// <example><code>
/// public sealed class Stopwatch : RpcInterceptor
/// {
///     public override async ValueTask&lt;TResponse&gt; CallAsync&lt;TRequest, TItem, TResponse&gt;(
///         RpcCall&lt;TRequest, TItem&gt; call, RpcCallNext&lt;TRequest, TItem, TResponse&gt; next)
///     {
///         var started = System.Diagnostics.Stopwatch.GetTimestamp();
///         try
///         {
///             return await next(call);
///         }
///         finally
///         {
///             Console.WriteLine($"{call.Operation.Path}: {System.Diagnostics.Stopwatch.GetElapsedTime(started)}");
///         }
///     }
/// }
/// </code></example>
public abstract class RpcInterceptor
{
    /// <summary>Runs a call that returns one message or nothing.</summary>
    /// <typeparam name="TRequest">The request message.</typeparam>
    /// <typeparam name="TItem">The item type of the request stream, or <see cref="Unit"/>.</typeparam>
    /// <typeparam name="TResponse">The response message, or <see cref="Unit"/>.</typeparam>
    /// <param name="call">The call.</param>
    /// <param name="next">Continues the call.</param>
    /// <returns>The response.</returns>
    public virtual ValueTask<TResponse> CallAsync<TRequest, TItem, TResponse>(RpcCall<TRequest, TItem> call, RpcCallNext<TRequest, TItem, TResponse> next)
    {
        ArgumentNullException.ThrowIfNull(next);
        return next(call);
    }

    /// <summary>Runs a call that returns a stream.</summary>
    /// <typeparam name="TRequest">The request message.</typeparam>
    /// <typeparam name="TItem">The item type of the request stream, or <see cref="Unit"/>.</typeparam>
    /// <typeparam name="TResponse">The item type of the response stream.</typeparam>
    /// <param name="call">The call.</param>
    /// <param name="next">Continues the call.</param>
    /// <returns>The items.</returns>
    public virtual IAsyncEnumerable<TResponse> StreamAsync<TRequest, TItem, TResponse>(RpcCall<TRequest, TItem> call, RpcStreamNext<TRequest, TItem, TResponse> next)
    {
        ArgumentNullException.ThrowIfNull(next);
        return next(call);
    }
}
