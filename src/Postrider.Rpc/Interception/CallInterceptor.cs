namespace Postrider.Rpc.Interception;

/// <summary>Is told of the calls at one end, over every transport alike: of each call's begin, of the items of its stream back, of its end.</summary>
/// <typeparam name="TCall">What it keeps of a call from begin to end.</typeparam>
/// <remarks>Thread-safe. Within one call it is told of one thing after the other; what it throws fails the call.</remarks>
internal abstract class CallInterceptor<TCall>
{
    /// <summary>Asked before each call: without it the call goes by untouched.</summary>
    public virtual bool IsOn => true;

    /// <summary>Whether it reads the headers of served calls; transports bring them only to endpoints that take them.</summary>
    public virtual bool ReadsHeaders => false;

    /// <summary>A call begins: one with a stream back when the stream is first asked for an item.</summary>
    /// <param name="operation">What is called.</param>
    /// <param name="context">The call's; what is put here is what the call has.</param>
    /// <param name="ct">The call's token, likewise.</param>
    /// <returns>What the rest of the call is told with.</returns>
    public abstract TCall Begin(Operation operation, ref CallContext? context, ref CancellationToken ct);

    /// <summary>An item of the stream back goes by.</summary>
    /// <param name="call">What <see cref="Begin"/> gave.</param>
    public virtual void CountItem(TCall call)
    {
    }

    /// <summary>The call has ended: its answer is there, or its stream is over.</summary>
    /// <param name="operation">What was called.</param>
    /// <param name="call">What <see cref="Begin"/> gave.</param>
    /// <param name="failure">What was thrown, or null.</param>
    /// <param name="isLeft">The stream was left before its end, which throws nothing.</param>
    public abstract void End(Operation operation, TCall call, Exception? failure, bool isLeft);

    /// <summary>The same channel, intercepted.</summary>
    /// <param name="channel">The channel. The returned channel owns it.</param>
    /// <returns>The channel.</returns>
    public RpcChannel Intercept(RpcChannel channel)
    {
        ArgumentNullException.ThrowIfNull(channel);
        return new InterceptedChannel<TCall>(channel, this);
    }

    /// <summary>The same contract, intercepted.</summary>
    /// <param name="service">The service to serve.</param>
    /// <returns>The contract.</returns>
    public RpcService Intercept(RpcService service)
    {
        ArgumentNullException.ThrowIfNull(service);
        var endpoints = new InterceptedService<TCall>(this);
        return new RpcService(service.Name, service.Version, [.. service.Operations.Select(o => o.Accept(endpoints))]);
    }
}
