using Postrider.Rpc.Activation;

namespace Postrider.Rpc;

/// <summary>Provides the implementation of a contract for each call, for example from a scope of a container.</summary>
/// <typeparam name="TService">The contract.</typeparam>
/// <remarks>Used by the generated <c>Serve</c>. Thread-safe.</remarks>
public abstract class RpcServiceActivator<TService>
    where TService : class
{
    /// <summary>Whether <see cref="Activate"/> needs the context of the call. Transports create it only where it is needed.</summary>
    public virtual bool NeedsContext => false;

    /// <summary>Provides the implementation for one call.</summary>
    /// <param name="context">The context of the call; null if neither the method nor the activator needs it.</param>
    /// <param name="release">What <see cref="ReleaseAsync"/> receives when the call has ended, for example the scope; null if nothing
    /// must be released.</param>
    /// <returns>The implementation.</returns>
    public abstract TService Activate(CallContext? context, out object? release);

    /// <summary>Releases the resources of a call, after its response or the end of its stream.</summary>
    /// <param name="release">The object that <see cref="Activate"/> returned; never null.</param>
    /// <returns>Completes when it is released.</returns>
    public abstract ValueTask ReleaseAsync(object release);

    /// <summary>Creates the endpoint of an operation that returns one message or nothing. Called by generated code.</summary>
    /// <typeparam name="TRequest">The request message.</typeparam>
    /// <typeparam name="TItem">The item type of the request stream, or <see cref="Unit"/>.</typeparam>
    /// <typeparam name="TResponse">The response message.</typeparam>
    /// <param name="operation">The operation.</param>
    /// <param name="call">Calls the method of the implementation.</param>
    /// <returns>The endpoint.</returns>
    public OperationEndpoint Endpoint<TRequest, TItem, TResponse>(
        Operation<TRequest, TItem, TResponse> operation,
        Func<TService, TRequest, IAsyncEnumerable<TItem>?, CallContext?, CancellationToken, ValueTask<TResponse>> call)
        => new OperationEndpoint<TRequest, TItem, TResponse>(
            Prepared(operation), new ActivatedCall<TService, TRequest, TItem, TResponse>(this, call).CallAsync);

    /// <summary>Creates the endpoint of an operation that returns a stream. Called by generated code.</summary>
    /// <typeparam name="TRequest">The request message.</typeparam>
    /// <typeparam name="TItem">The item type of the request stream, or <see cref="Unit"/>.</typeparam>
    /// <typeparam name="TResponse">The item type of the response stream.</typeparam>
    /// <param name="operation">The operation.</param>
    /// <param name="stream">Calls the method of the implementation.</param>
    /// <returns>The endpoint.</returns>
    public OperationEndpoint Endpoint<TRequest, TItem, TResponse>(
        Operation<TRequest, TItem, TResponse> operation,
        Func<TService, TRequest, IAsyncEnumerable<TItem>?, CallContext?, CancellationToken, IAsyncEnumerable<TResponse>> stream)
        => new OperationEndpoint<TRequest, TItem, TResponse>(
            Prepared(operation), new ActivatedStream<TService, TRequest, TItem, TResponse>(this, stream).StreamAsync);

    private Operation<TRequest, TItem, TResponse> Prepared<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation)
        => NeedsContext && !operation.TakesContext ? operation.WithContext() : operation;
}
