namespace Postrider.Rpc.Interception;

/// <summary>Observes calls on one side, over every transport: start, items of the response stream, completion.</summary>
/// <typeparam name="TCall">The state of one call, from <see cref="Begin"/> to <see cref="End"/>.</typeparam>
/// <remarks>Thread-safe. Notifications of one call are sequential; an exception fails the call.</remarks>
internal abstract class CallObserver<TCall>
{
    /// <summary>Whether the observer is enabled; checked before each call.</summary>
    public virtual bool IsOn => true;

    /// <summary>Whether the observer reads the headers of served calls. Transports provide them only to endpoints that request
    /// them.</summary>
    public virtual bool ReadsHeaders => false;

    /// <summary>Called when a call starts; for a response stream, with the first enumeration step.</summary>
    /// <param name="operation">The operation that is called.</param>
    /// <param name="context">The context of the call; may be replaced.</param>
    /// <param name="ct">The token of the call; may be replaced.</param>
    /// <returns>The state that the other methods receive.</returns>
    public abstract TCall Begin(Operation operation, ref CallContext? context, ref CancellationToken ct);

    /// <summary>Called for each item of the response stream.</summary>
    /// <param name="call">The state that <see cref="Begin"/> returned.</param>
    public virtual void CountItem(TCall call)
    {
    }

    /// <summary>Called when a call has completed.</summary>
    /// <param name="operation">The operation that was called.</param>
    /// <param name="call">The state that <see cref="Begin"/> returned.</param>
    /// <param name="failure">The exception, or null.</param>
    /// <param name="isLeft">Whether the stream was left before its end, which throws nothing.</param>
    public abstract void End(Operation operation, TCall call, Exception? failure, bool isLeft);

    /// <summary>Wraps a channel.</summary>
    /// <param name="channel">The channel. The returned channel owns it.</param>
    /// <returns>The channel.</returns>
    public RpcChannel Observe(RpcChannel channel)
    {
        ArgumentNullException.ThrowIfNull(channel);
        return new ObservedChannel<TCall>(channel, this);
    }

    /// <summary>Wraps a service.</summary>
    /// <param name="service">The service to serve.</param>
    /// <returns>The contract.</returns>
    public RpcService Observe(RpcService service)
    {
        ArgumentNullException.ThrowIfNull(service);
        var endpoints = new ObservedEndpoints<TCall>(this);
        return new RpcService(service.Name, service.Version, [.. service.Operations.Select(o => o.Accept(endpoints))]);
    }
}
