using Grpc.AspNetCore.Server;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.Transport.Grpc;

/// <summary>Adds gRPC transports and serves their inboxes.</summary>
public static class GrpcTransportServiceCollectionExtensions
{
    /// <summary>Adds a transport over gRPC: requests, commands and notifications.</summary>
    /// <param name="services">The service collection.</param>
    /// <param name="name">The transport's name, for routes.</param>
    /// <param name="serializers">Read and write the messages of the bindings.</param>
    /// <param name="configure">Sets the options; null for a transport that only receives.</param>
    /// <returns>A builder for bindings, which need <see cref="MapGrpcTransport"/>.</returns>
    /// <inheritdoc cref="TransportServiceCollectionExtensions.AddPostriderTransport" path="/remarks"/>
    public static TransportBuilder AddGrpcTransport(this IServiceCollection services, string name, ISerializerProvider serializers, Action<GrpcOptions>? configure = null)
        => Add(services, name, serializers, section: null, configure);

    /// <summary>Adds a transport over gRPC with the options of a configuration section.</summary>
    /// <param name="services">The service collection.</param>
    /// <param name="name">The transport's name, for routes.</param>
    /// <param name="serializers">Read and write the messages of the bindings.</param>
    /// <param name="section">The section, with the keys of <see cref="GrpcOptions"/>. A wrong value or an unknown key fails the start
    /// with an <see cref="Postrider.Configuration.InvalidConfigurationException"/> that names it.</param>
    /// <param name="configure">Changes the options after the configuration has been read; null to leave them.</param>
    /// <returns>A builder for bindings, which need <see cref="MapGrpcTransport"/>.</returns>
    /// <inheritdoc cref="TransportServiceCollectionExtensions.AddPostriderTransport" path="/remarks"/>
    public static TransportBuilder AddGrpcTransport(
        this IServiceCollection services, string name, ISerializerProvider serializers, IConfigurationSection section, Action<GrpcOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(section);
        return Add(services, name, serializers, section, configure);
    }

    /// <summary>Serves the inbox of a transport: the gRPC service <c>postrider.messages.v1.Inbox</c>.</summary>
    /// <param name="routes">The application's routes. The listener must support HTTP/2; without TLS it must be configured as
    /// <c>HttpProtocols.Http2</c>.</param>
    /// <param name="name">The name of the transport. An application has one inbox on an address, with any number of destinations.</param>
    /// <returns>A builder for conventions such as authorization, hosts and rate limits.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the transport is not one of gRPC.</exception>
    public static IEndpointConventionBuilder MapGrpcTransport(this IEndpointRouteBuilder routes, string name)
    {
        ArgumentNullException.ThrowIfNull(routes);
        var transport = routes.ServiceProvider.GetRequiredKeyedService<ITransport>(name);
        if (transport is not GrpcTransport { Inbox: var inbox })
            throw new PostriderException(PostriderError.Configuration, $"The transport '{name}' is '{transport.Name}': MapGrpcTransport serves transports that AddGrpcTransport has added.");
        inbox.IsMapped = true;
        return routes.MapGrpcService<InboxService>().WithMetadata(inbox);
    }

    private static TransportBuilder Add(IServiceCollection services, string name, ISerializerProvider serializers, IConfigurationSection? section, Action<GrpcOptions>? configure)
    {
        ArgumentNullException.ThrowIfNull(services);
        services.AddGrpc();
        // The largest limit of the inboxes; each one checks its own.
        services.AddOptions<GrpcServiceOptions<InboxService>>().Configure<IServiceProvider>((service, provider) =>
        {
            if (provider.GetKeyedService<ITransport>(name) is GrpcTransport { MaxReceivedBytes: var bytes })
                service.MaxReceiveMessageSize = Math.Max(service.MaxReceiveMessageSize ?? 0, bytes);
        });
        return services.AddPostriderTransport(
            name,
            provider =>
            {
                var options = new GrpcOptions();
                if (section is not null)
                    GrpcSection.Apply(section, options);
                configure?.Invoke(options);
                return new GrpcTransport(options, provider.GetService<ILoggerFactory>(), provider.GetService<TimeProvider>(), store => provider.GetRequiredKeyedService<ITransport>(store));
            },
            serializers,
            GrpcTransport.PossibleAbilities);
    }
}
