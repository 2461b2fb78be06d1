using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.Transport.ServiceBus;

/// <summary>Adds Service Bus transports.</summary>
public static class ServiceBusTransportServiceCollectionExtensions
{
    /// <summary>Adds a transport over Azure Service Bus: commands and notifications, at least once.</summary>
    /// <param name="services">The service collection.</param>
    /// <param name="name">The transport's name, for routes.</param>
    /// <param name="serializers">Read and write the messages of the bindings.</param>
    /// <param name="configure">Sets the options; null for the emulator on this machine.</param>
    /// <returns>A builder for bindings.</returns>
    /// <inheritdoc cref="TransportServiceCollectionExtensions.AddPostriderTransport" path="/remarks"/>
    public static TransportBuilder AddServiceBusTransport(this IServiceCollection services, string name, ISerializerProvider serializers, Action<ServiceBusOptions>? configure = null)
        => Add(services, name, serializers, section: null, configure);

    /// <summary>Adds a transport over Azure Service Bus with the options of a configuration section.</summary>
    /// <param name="services">The service collection.</param>
    /// <param name="name">The transport's name, for routes.</param>
    /// <param name="serializers">Read and write the messages of the bindings.</param>
    /// <param name="section">The section, with the keys of <see cref="ServiceBusOptions"/>. A wrong value or an unknown key fails the start
    /// with an <see cref="Postrider.Configuration.InvalidConfigurationException"/> that names it.</param>
    /// <param name="configure">Changes the options after the configuration has been read; null to leave them.</param>
    /// <returns>A builder for bindings.</returns>
    /// <inheritdoc cref="TransportServiceCollectionExtensions.AddPostriderTransport" path="/remarks"/>
    public static TransportBuilder AddServiceBusTransport(
        this IServiceCollection services, string name, ISerializerProvider serializers, IConfigurationSection section, Action<ServiceBusOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(section);
        return Add(services, name, serializers, section, configure);
    }

    private static TransportBuilder Add(IServiceCollection services, string name, ISerializerProvider serializers, IConfigurationSection? section, Action<ServiceBusOptions>? configure)
        => services.AddPostriderTransport(
            name,
            provider =>
            {
                var options = new ServiceBusOptions();
                if (section is not null)
                    ServiceBusSection.Apply(section, options);
                configure?.Invoke(options);
                return new ServiceBusTransport(options, provider.GetService<ILoggerFactory>(), provider.GetService<TimeProvider>());
            },
            serializers,
            ServiceBusTransport.PossibleAbilities);
}
