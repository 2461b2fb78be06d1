using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Postrider.Rpc.Hosting.Channels;

namespace Postrider.Rpc.Hosting;

/// <summary>Adds clients and interceptors to a channel of the container.</summary>
public sealed class RpcChannelBuilder
{
    private readonly ChannelRegistration _registration;

    internal RpcChannelBuilder(IServiceCollection services, ChannelRegistration registration) => (Services, _registration) = (services, registration);

    /// <summary>The service collection.</summary>
    public IServiceCollection Services { get; }

    /// <summary>The channel's name.</summary>
    public string Name => _registration.Name;

    /// <summary>Adds a client of a contract: services take <typeparamref name="TService"/> as a parameter.</summary>
    /// <typeparam name="TService">The contract.</typeparam>
    /// <returns>This builder.</returns>
    /// <exception cref="InvalidOperationException"><typeparamref name="TService"/> is not a contract, or it is registered already; for a
    /// second client of a contract, use <see cref="AddKeyedClient{TService}"/>.</exception>
    public RpcChannelBuilder AddClient<TService>()
        where TService : class
    {
        var contract = RpcContracts.Get<TService>();
        if (Services.Any(static service => !service.IsKeyedService && service.ServiceType == typeof(TService)))
            throw new InvalidOperationException($"{typeof(TService)} is already registered: as a service of this process, or as a client of another channel. For another one, call AddRpcChannel(\"{Name}\").AddKeyedClient<{typeof(TService).Name}>(\"{Name}\") and take it as [FromKeyedServices(\"{Name}\")] {typeof(TService).Name}.");
        Services.AddSingleton(provider => contract.CreateClient(provider.GetRequiredKeyedService<RpcChannel>(Name)));
        return this;
    }

    /// <summary>Adds a client of a contract with a key: services take it as <c>[FromKeyedServices(key)] TService client</c>.</summary>
    /// <typeparam name="TService">The contract.</typeparam>
    /// <param name="key">The key; null for the channel's name.</param>
    /// <returns>This builder.</returns>
    /// <exception cref="InvalidOperationException"><typeparamref name="TService"/> is not a contract.</exception>
    public RpcChannelBuilder AddKeyedClient<TService>(object? key = null)
        where TService : class
    {
        var contract = RpcContracts.Get<TService>();
        Services.AddKeyedSingleton(key ?? Name, (provider, _) => contract.CreateClient(provider.GetRequiredKeyedService<RpcChannel>(Name)));
        return this;
    }

    /// <summary>Adds an interceptor around every call of the channel. The first one added is the outermost.</summary>
    /// <typeparam name="TInterceptor">The interceptor; one instance, whose constructor's parameters come from the container.</typeparam>
    /// <returns>This builder.</returns>
    public RpcChannelBuilder AddInterceptor<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TInterceptor>()
        where TInterceptor : RpcInterceptor
    {
        Services.TryAddSingleton<TInterceptor>();
        _registration.Interceptors.Add(static provider => provider.GetRequiredService<TInterceptor>());
        return this;
    }

    /// <summary>Adds an interceptor around every call of the channel.</summary>
    /// <param name="interceptor">The interceptor.</param>
    /// <returns>This builder.</returns>
    public RpcChannelBuilder AddInterceptor(RpcInterceptor interceptor)
    {
        ArgumentNullException.ThrowIfNull(interceptor);
        _registration.Interceptors.Add(_ => interceptor);
        return this;
    }
}
