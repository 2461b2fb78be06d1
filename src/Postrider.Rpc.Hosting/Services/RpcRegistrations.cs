using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Rpc.Hosting.Services;

/// <summary>The contracts of a container, in the order in which they were added.</summary>
internal sealed class RpcRegistrations
{
    private readonly List<RpcRegistration> _all = [];

    /// <summary>Adds a contract.</summary>
    /// <exception cref="InvalidOperationException">It was already added, or another one has its name.</exception>
    public void Add(RpcRegistration registration)
    {
        foreach (var other in _all)
        {
            if (other.Type == registration.Type)
                throw new InvalidOperationException($"AddRpcService was called twice for {registration.Type}.");
            if (other.Name == registration.Name)
                throw new InvalidOperationException($"{other.Type} and {registration.Type} are both the service '{registration.Name}'. Give one of them another name: [Service(\"name\")].");
        }

        _all.Add(registration);
    }

    /// <summary>The services to serve: every contract, with the interceptors of the container.</summary>
    /// <exception cref="InvalidOperationException">No contract was added, or the transport cannot serve one.</exception>
    public IReadOnlyList<RpcService> Serve(IServiceProvider services, RpcTransport transport)
        => _all.Count > 0
            ? [.. _all.Select(registration => Checked(registration.Serve(services, transport), services))]
            : throw new InvalidOperationException("There is no RPC service to serve. Add one with AddRpcService<TService, TImplementation>().");

    /// <summary>The service of one contract.</summary>
    /// <exception cref="InvalidOperationException">It was not added, or the transport cannot serve it.</exception>
    public RpcService Serve<TService>(IServiceProvider services, RpcTransport transport)
        => Checked(
            (_all.Find(static registration => registration.Type == typeof(TService))
                ?? throw new InvalidOperationException($"{typeof(TService)} was not added. Call AddRpcService<{typeof(TService).Name}, TImplementation>()."))
                .Serve(services, transport),
            services);

    private static RpcService Checked(RpcService service, IServiceProvider services)
    {
        services.GetService<IRpcAuthorizationChecks>()?.Check(service);
        return service;
    }
}
