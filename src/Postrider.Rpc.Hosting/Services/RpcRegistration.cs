namespace Postrider.Rpc.Hosting.Services;

/// <summary>A contract of a container.</summary>
internal abstract class RpcRegistration
{
    /// <summary>The contract.</summary>
    public abstract Type Type { get; }

    /// <summary>The service's name on the wire.</summary>
    public abstract string Name { get; }

    /// <summary>The service to serve, with the interceptors of the container.</summary>
    /// <exception cref="InvalidOperationException">It has an implementation for each connection, and the transport has none.</exception>
    public abstract RpcService Serve(IServiceProvider services, RpcTransport transport);
}
