using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Rpc.Hosting.Channels;

namespace Postrider.Rpc.Hosting;

/// <summary>Adds RPC clients and their channels to a container.</summary>
public static class RpcClientServiceCollectionExtensions
{
    /// <summary>The configuration section of the channels; each has a section with its name below it.</summary>
    public const string SectionName = "Postrider:Rpc:Channels";

    /// <summary>Adds a client of a contract over a channel of its own, which has the name of the service.</summary>
    /// <typeparam name="TService">The contract.</typeparam>
    /// <param name="services">The service collection.</param>
    /// <param name="address">The address, for example <c>tcp://localhost:5090</c> or <c>https://orders.example</c>; null to take
    /// <c>Postrider:Rpc:Channels:NAME:Address</c> from the configuration.</param>
    /// <returns>The channel, for interceptors and further clients.</returns>
    /// <inheritdoc cref="AddRpcChannel" path="/remarks"/>
    /// <exception cref="InvalidOperationException"><typeparamref name="TService"/> is not a contract, or is registered already.</exception>
    /// <example><code>
    /// builder.Services.AddRpcCodec(new RpcMessagePackCodec(Messages.Default));
    /// builder.Services.AddRpcClient&lt;IOrders&gt;("tcp://localhost:5090");
    /// </code></example>
    public static RpcChannelBuilder AddRpcClient<TService>(this IServiceCollection services, string? address = null)
        where TService : class
        => services.AddRpcChannel(RpcContracts.Get<TService>().Name, address is null ? null : settings => settings with { Addresses = [Parse(address)] })
            .AddClient<TService>();

    /// <summary>Adds a channel with a name. Services take it as <c>[FromKeyedServices("NAME")] RpcChannel channel</c>, or a client that is
    /// added with <see cref="RpcChannelBuilder.AddClient{TService}"/>.</summary>
    /// <param name="services">The service collection.</param>
    /// <param name="name">The name, and the configuration section below <c>Postrider:Rpc:Channels</c>: <c>Address</c> (one, or several with
    /// commas), <c>ContentType</c>, <c>Timeout</c>, <c>ConnectTimeout</c>, <c>MaxAttempts</c>, <c>HedgeDelay</c>, <c>Telemetry</c>, <c>CircuitBreaker</c>, <c>RateLimit</c>, <c>Bulkhead</c>.</param>
    /// <param name="configure">Changes the settings after the configuration has been read; null to leave them.</param>
    /// <returns>The channel, for interceptors and clients.</returns>
    /// <remarks>The settings are checked when the host starts: an <see cref="Postrider.Configuration.InvalidConfigurationException"/> names
    /// each key that is missing, wrong or unknown. A channel connects when it is first used, so that processes can start in any
    /// order.</remarks>
    /// <exception cref="InvalidOperationException">A channel with this name was already added.</exception>
    public static RpcChannelBuilder AddRpcChannel(
        this IServiceCollection services, string name, Func<RpcChannelSettings, RpcChannelSettings>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentException.ThrowIfNullOrEmpty(name);
        if (services.Any(service => service.ServiceType == typeof(RpcChannel) && Equals(service.ServiceKey, name)))
            throw new InvalidOperationException($"The RPC channel '{name}' was already added. Keep the builder that AddRpcChannel returned to add clients to it, or choose another name.");
        var added = AddedChannels.Of(services);
        added.Names.Add(name);
        var registration = new ChannelRegistration(name, configure);
        services.AddKeyedSingleton(name, (provider, _) => registration.Create(provider));
        services.AddSingleton<IHostedService>(provider => new ChannelCheck(provider, name, added));
        return new RpcChannelBuilder(services, registration);
    }

    private static Uri Parse(string address)
        => Uri.TryCreate(address, UriKind.Absolute, out var parsed)
            ? parsed
            : throw new ArgumentException($"'{address}' is not an address. Use one such as tcp://localhost:5090 or https://orders.example.", nameof(address));
}
