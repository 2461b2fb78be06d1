namespace Postrider.Rpc.Interception;

/// <summary>Observes calls on one side, over every transport: start, items of the response stream, completion.</summary>
/// <typeparam name="TCall">What it keeps of a call from begin to end.</typeparam>
/// <remarks>Thread-safe. Notifications of one call are sequential; an exception fails the call.</remarks>
internal abstract class CallInterceptor<TCall>
{
    /// <summary>Whether the interceptor is enabled; checked before each call.</summary>
    public virtual bool IsOn => true;

    /// <summary>Whether the interceptor reads the headers of served calls. Transports provide them only to endpoints that request
    /// them.</summary>
    public virtual bool ReadsHeaders => false;

    /// <summary>Called when a call starts; for a response stream, with the first enumeration step.</summary>
    /// <param name="operation">What is called.</param>
    /// <param name="context">The call's; what is put here is what the call has.</param>
    /// <param name="ct">The call's token, likewise.</param>
    /// <returns>What the rest of the call is told with.</returns>
    public abstract TCall Begin(Operation operation, ref CallContext? context, ref CancellationToken ct);

    /// <summary>Called for each item of the response stream.</summary>
    /// <param name="call">What <see cref="Begin"/> gave.</param>
    public virtual void CountItem(TCall call)
    {
    }

    /// <summary>Called when a call has completed.</summary>
    /// <param name="operation">What was called.</param>
    /// <param name="call">What <see cref="Begin"/> gave.</param>
    /// <param name="failure">What was thrown, or null.</param>
    /// <param name="isLeft">The stream was left before its end, which throws nothing.</param>
    public abstract void End(Operation operation, TCall call, Exception? failure, bool isLeft);

    /// <summary>Wraps a channel.</summary>
    /// <param name="channel">The channel. The returned channel owns it.</param>
    /// <returns>The channel.</returns>
    public RpcChannel Intercept(RpcChannel channel)
    {
        ArgumentNullException.ThrowIfNull(channel);
        return new InterceptedChannel<TCall>(channel, this);
    }

    /// <summary>Wraps a service.</summary>
    /// <param name="service">The service to serve.</param>
    /// <returns>The contract.</returns>
    public RpcService Intercept(RpcService service)
    {
        ArgumentNullException.ThrowIfNull(service);
        var endpoints = new InterceptedService<TCall>(this);
        return new RpcService(service.Name, service.Version, [.. service.Operations.Select(o => o.Accept(endpoints))]);
    }
}
