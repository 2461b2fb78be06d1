namespace Postrider.Rpc.Hosting.Services;

/// <summary>A contract of a container.</summary>
internal abstract class RpcRegistration
{
    /// <summary>The contract.</summary>
    public abstract Type Type { get; }

    /// <summary>The service's name on the wire.</summary>
    public abstract string Name { get; }

    /// <summary>The service to serve, with the interceptors of the container.</summary>
    public abstract RpcService Serve(IServiceProvider services, bool inRequests);
}
