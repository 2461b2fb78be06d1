using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Serialization;

namespace Postrider.Transports;

/// <summary>Adds transports to a container.</summary>
public static class TransportServiceCollectionExtensions
{
    /// <summary>Adds a transport with a name, which listens while the host runs and which routes can use.</summary>
    /// <param name="services">The service collection that <c>AddPostrider</c> is called on.</param>
    /// <param name="name">The name. Routes use it: <c>options.Route&lt;PlaceOrder, Receipt&gt;("orders", serializers, "orders.place")</c>.</param>
    /// <param name="create">Creates the transport; the container disposes it.</param>
    /// <param name="serializers">Read and write the messages of the bindings.</param>
    /// <param name="abilities">What the transport can do, for the test harness, which replaces it without creating it; null if that is known only
    /// when it is created: the harness then assumes all abilities.</param>
    /// <returns>A builder for bindings.</returns>
    /// <remarks>The bindings listen when the host starts, in the order of the calls, and a binding that cannot listen ends the start. When
    /// the host stops, they stop listening first and then wait for the handlers that run, at most as long as the host's shutdown
    /// timeout.</remarks>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: a transport with this name was added
    /// before.</exception>
    /// <example><code>
    /// builder.Services.AddPostriderTransport("orders", p => new NatsTransport(p.GetRequiredService&lt;NatsClient&gt;()), serializers)
    ///     .Request&lt;PlaceOrder, Receipt&gt;(new TransportBinding("orders.place") { Group = "desk" })
    ///     .Notification&lt;OrderPlaced&gt;(new TransportBinding("orders.placed"));
    /// </code></example>
    public static TransportBuilder AddPostriderTransport(
        this IServiceCollection services, string name, Func<IServiceProvider, ITransport> create, ISerializerProvider serializers, TransportAbilities? abilities = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentNullException.ThrowIfNull(create);
        ArgumentNullException.ThrowIfNull(serializers);
        if (services.Any(service => service.ServiceType == typeof(ITransport) && Equals(service.ServiceKey, name)))
            throw new PostriderException(PostriderError.Configuration, $"The transport '{name}' was already added. Keep the builder that AddPostriderTransport returned to add bindings, or choose another name.");
        var added = Added(services);
        added.Names.Add(name);
        if (abilities is { } known)
            added.Abilities.Add(name, known);
        var bindings = new List<Action<MessagePump>>();
        services.AddKeyedSingleton(name, (provider, _) => create(provider));
        services.AddKeyedSingleton(name, serializers);
        services.AddKeyedSingleton(name, (provider, _) => new TransportService(provider, name, serializers, bindings, provider.GetService<ILogger<TransportService>>()));
        services.AddKeyedSingleton<ITransportReceiver>(name, static (provider, key) => provider.GetRequiredKeyedService<TransportService>(key));
        services.AddSingleton<IHostedService>(provider => provider.GetRequiredKeyedService<TransportService>(name));
        return new TransportBuilder(services, name, bindings, added.Received);
    }

    private static AddedTransports Added(IServiceCollection services)
    {
        foreach (var service in services)
        {
            if (service.ServiceType == typeof(AddedTransports) && !service.IsKeyedService)
                return (AddedTransports)service.ImplementationInstance!;
        }

        var added = new AddedTransports();
        services.AddSingleton(added);
        return added;
    }
}
