namespace Postrider.Rpc;

/// <summary>The generated client and endpoint of a contract, for code that knows only the interface.</summary>
/// <typeparam name="TService">The contract.</typeparam>
/// <param name="name">The service's name on the wire.</param>
/// <param name="version">The version.</param>
/// <param name="client">Creates a client over a channel.</param>
/// <param name="single">Serves one implementation for all calls.</param>
/// <param name="activated">Serves an implementation for each call.</param>
public sealed class RpcContract<TService>(
    string name,
    string version,
    Func<RpcChannel, TService> client,
    Func<TService, RpcService> single,
    Func<RpcServiceActivator<TService>, RpcService> activated)
    where TService : class
{
    /// <summary>The service's name on the wire.</summary>
    public string Name { get; } = name;

    /// <summary>The version, for example 1.2.3.</summary>
    public string Version { get; } = version;

    /// <summary>Creates a client.</summary>
    /// <param name="channel">The channel; not owned.</param>
    /// <returns>The client.</returns>
    /// <exception cref="RpcException">The channel's codec does not support a type: <see cref="RpcStatus.Unsupported"/>.</exception>
    public TService CreateClient(RpcChannel channel) => client(channel);

    /// <summary>Serves one implementation for all calls.</summary>
    /// <param name="service">The implementation; it receives concurrent calls.</param>
    /// <returns>The service to serve.</returns>
    public RpcService Serve(TService service) => single(service);

    /// <summary>Serves an implementation for each call.</summary>
    /// <param name="activator">Provides the implementation.</param>
    /// <returns>The service to serve.</returns>
    public RpcService Serve(RpcServiceActivator<TService> activator) => activated(activator);
}
