using System.Diagnostics.CodeAnalysis;
using System.Net;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Postrider.Rpc.Hosting.Services;

namespace Postrider.Rpc.Hosting;

/// <summary>Adds RPC services, codecs, interceptors and socket servers to a container.</summary>
public static class RpcServiceCollectionExtensions
{
    /// <summary>Adds the implementation of a contract, which every RPC server of the container then serves: <c>AddRpcSocketServer</c>,
    /// <c>MapRpc&lt;TService&gt;()</c> and the like.</summary>
    /// <typeparam name="TService">The contract.</typeparam>
    /// <typeparam name="TImplementation">The implementation; its constructor's parameters come from the container.</typeparam>
    /// <param name="services">The service collection.</param>
    /// <param name="lifetime"><see cref="ServiceLifetime.Scoped"/> and <see cref="ServiceLifetime.Transient"/>: one implementation for each
    /// call, from a scope that ends with the call (over HTTP, the scope of the request). <see cref="ServiceLifetime.Singleton"/>: one for
    /// all calls.</param>
    /// <returns>The service collection.</returns>
    /// <remarks>A scope of the container is created only where it makes a difference: where something must be disposed, comes from a
    /// factory, has a key or takes an <see cref="IServiceProvider"/>, and, unless the constructor takes only singletons, for calls whose
    /// context a method, an interceptor or telemetry has. Otherwise the same objects are created without it. A streaming call keeps its
    /// scope until the end of the stream.</remarks>
    /// <exception cref="InvalidOperationException"><typeparamref name="TService"/> is not a contract, or was added before.</exception>
    /// <example><code>
    /// builder.Services.AddRpcCodec(new RpcMessagePackCodec(Messages.Default));
    /// builder.Services.AddRpcService&lt;IOrders, Orders&gt;();
    /// builder.Services.AddRpcSocketServer(new IPEndPoint(IPAddress.Any, 5090));
    /// </code></example>
    public static IServiceCollection AddRpcService<TService, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TImplementation>(
        this IServiceCollection services, ServiceLifetime lifetime = ServiceLifetime.Scoped)
        where TService : class
        where TImplementation : class, TService
    {
        ArgumentNullException.ThrowIfNull(services);
        services.Add(new ServiceDescriptor(typeof(TService), typeof(TImplementation), lifetime));
        return AddRpcService<TService>(services);
    }

    /// <summary>Adds a contract whose implementation is already registered in the container, with its lifetime there.</summary>
    /// <typeparam name="TService">The contract.</typeparam>
    /// <param name="services">The service collection.</param>
    /// <returns>The service collection.</returns>
    /// <exception cref="InvalidOperationException"><typeparamref name="TService"/> is not a contract, is not registered, or was added
    /// before.</exception>
    public static IServiceCollection AddRpcService<TService>(this IServiceCollection services)
        where TService : class
    {
        ArgumentNullException.ThrowIfNull(services);
        var contract = RpcContracts.Get<TService>();
        Registrations(services).Add(new RpcRegistration<TService>(contract, Implementation<TService>(services, nameof(AddRpcService)), services, isPerConnection: false));
        return services;
    }

    /// <summary>Adds the implementation of a contract, one for each connection: calls of a client find what its earlier calls have left in
    /// the object, and other clients have other objects.</summary>
    /// <typeparam name="TService">The contract.</typeparam>
    /// <typeparam name="TImplementation">The implementation; its constructor's parameters come from the container.</typeparam>
    /// <param name="services">The service collection.</param>
    /// <returns>The service collection.</returns>
    /// <remarks>
    /// <para>The first call over a connection creates the object, in a scope that all contracts added in this way share. When the
    /// connection ends or breaks, running calls are cancelled; when the last one has ended, the scope is disposed. A client that connects
    /// again gets a new object. Calls of a connection run concurrently.</para>
    /// <para>Sockets (<c>AddRpcSocketServer</c>) and WebSockets (<c>MapRpcWebSockets</c>) have connections. A server of another transport,
    /// such as HTTP, gRPC or NATS, refuses the contract when the application starts.</para>
    /// </remarks>
    /// <exception cref="InvalidOperationException"><typeparamref name="TService"/> is not a contract, or was added before.</exception>
    /// <example><code>
    /// builder.Services.AddRpcServicePerConnection&lt;IBasket, Basket&gt;();
    /// builder.Services.AddRpcSocketServer(new IPEndPoint(IPAddress.Any, 5090));
    /// </code></example>
    public static IServiceCollection AddRpcServicePerConnection<TService, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TImplementation>(
        this IServiceCollection services)
        where TService : class
        where TImplementation : class, TService
    {
        ArgumentNullException.ThrowIfNull(services);
        services.AddScoped<TService, TImplementation>();
        return AddRpcServicePerConnection<TService>(services);
    }

    /// <summary>Adds a contract whose implementation is already registered in the container as scoped, one for each connection.</summary>
    /// <typeparam name="TService">The contract.</typeparam>
    /// <param name="services">The service collection.</param>
    /// <returns>The service collection.</returns>
    /// <inheritdoc cref="AddRpcServicePerConnection{TService, TImplementation}" path="/remarks"/>
    /// <exception cref="InvalidOperationException"><typeparamref name="TService"/> is not a contract, is not registered as scoped, or was
    /// added before.</exception>
    public static IServiceCollection AddRpcServicePerConnection<TService>(this IServiceCollection services)
        where TService : class
    {
        ArgumentNullException.ThrowIfNull(services);
        var contract = RpcContracts.Get<TService>();
        var implementation = Implementation<TService>(services, nameof(AddRpcServicePerConnection));
        if (implementation.Lifetime != ServiceLifetime.Scoped)
            throw new InvalidOperationException($"{typeof(TService)} is registered as {implementation.Lifetime}, so a connection cannot have an object of its own. Register it with AddScoped, or call AddRpcService<{typeof(TService).Name}>().");
        Registrations(services).Add(new RpcRegistration<TService>(contract, implementation, services, isPerConnection: true));
        return services;
    }

    /// <summary>Adds a codec for all RPC servers and channels of the container. The first one is the default.</summary>
    /// <param name="services">The service collection.</param>
    /// <param name="codec">The codec, for example <c>new RpcJsonCodec(MessagesJson.Default)</c>.</param>
    /// <returns>The service collection.</returns>
    public static IServiceCollection AddRpcCodec(this IServiceCollection services, RpcCodec codec)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(codec);
        services.AddSingleton(codec);
        return services;
    }

    /// <summary>Adds an interceptor around every call that the RPC servers of the container serve. The first one added is the
    /// outermost.</summary>
    /// <typeparam name="TInterceptor">The interceptor; one instance, whose constructor's parameters come from the container.</typeparam>
    /// <param name="services">The service collection.</param>
    /// <returns>The service collection.</returns>
    public static IServiceCollection AddRpcServerInterceptor<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TInterceptor>(this IServiceCollection services)
        where TInterceptor : RpcInterceptor
    {
        ArgumentNullException.ThrowIfNull(services);
        services.TryAddSingleton<TInterceptor>();
        services.AddSingleton(static provider => new ServerInterceptor(provider.GetRequiredService<TInterceptor>()));
        return services;
    }

    /// <summary>Traces and measures every call that the RPC servers of the container serve (<see cref="RpcTracing"/>,
    /// <see cref="RpcMetrics"/>).</summary>
    /// <param name="services">The service collection.</param>
    /// <returns>The service collection.</returns>
    public static IServiceCollection AddRpcServerTelemetry(this IServiceCollection services)
    {
        ArgumentNullException.ThrowIfNull(services);
        services.TryAddSingleton<ServerTelemetry>();
        return services;
    }

    /// <summary>Adds an authenticator for calls whose caller the transport has not authenticated. Interceptors added later see its result
    /// as <see cref="CallContext.User"/>; <c>AddRpcAuthorization</c>'s checks do so whatever the order. Of several authenticators, the first
    /// one that knows the caller counts.</summary>
    /// <typeparam name="TAuthenticator">The authenticator; one instance, whose constructor's parameters come from the container.</typeparam>
    /// <param name="services">The service collection.</param>
    /// <returns>The service collection.</returns>
    public static IServiceCollection AddRpcAuthentication<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TAuthenticator>(this IServiceCollection services)
        where TAuthenticator : RpcAuthenticator
    {
        ArgumentNullException.ThrowIfNull(services);
        services.TryAddSingleton<TAuthenticator>();
        var interceptor = ServiceDescriptor.Singleton(static provider => new ServerInterceptor(new AuthenticationInterceptor(provider.GetRequiredService<TAuthenticator>())));
        // The interceptor of the checks is registered directly behind them.
        for (var i = 0; i < services.Count; i++)
        {
            if (services[i].ServiceType != typeof(IRpcAuthorizationChecks))
                continue;
            services.Insert(i, interceptor);
            return services;
        }

        services.Add(interceptor);
        return services;
    }

    /// <summary>Serves all contracts of the container over TCP or a Unix domain socket while the host runs.</summary>
    /// <param name="services">The service collection.</param>
    /// <param name="endPoint">The endpoint to listen on: an <see cref="IPEndPoint"/> (port 0 for a free port) or a
    /// <c>UnixDomainSocketEndPoint</c>.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <returns>The service collection. The running server is <see cref="RpcSocketServerService.Server"/>.</returns>
    /// <remarks>The server starts with the host. When the host stops, it accepts no further calls and waits for those that run, at most
    /// <see cref="SocketServerOptions.DrainTimeout"/>. The host does not start if no codec or no service was added, or if a codec does not
    /// support a type of a contract.</remarks>
    public static IServiceCollection AddRpcSocketServer(this IServiceCollection services, EndPoint endPoint, SocketServerOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(endPoint);
        Registrations(services);
        services.AddSingleton(provider => new RpcSocketServerService(provider, endPoint, options));
        services.AddSingleton<IHostedService>(provider => provider.GetServices<RpcSocketServerService>().First(server => server.IsOn(endPoint)));
        return services;
    }

    private static ServiceDescriptor Implementation<TService>(IServiceCollection services, string method)
        => services.LastOrDefault(static service => !service.IsKeyedService && service.ServiceType == typeof(TService))
            ?? throw new InvalidOperationException(
                $"No implementation of {typeof(TService)} is registered. Call {method}<{typeof(TService).Name}, TImplementation>(), or register the implementation before {method}<{typeof(TService).Name}>().");

    private static RpcRegistrations Registrations(IServiceCollection services)
    {
        foreach (var service in services)
        {
            if (service.ServiceType == typeof(RpcRegistrations))
                return (RpcRegistrations)service.ImplementationInstance!;
        }

        var registrations = new RpcRegistrations();
        services.AddSingleton(registrations);
        return registrations;
    }
}
