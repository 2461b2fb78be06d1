using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Client;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.Transport.Nats;

/// <summary>Adds NATS transports over clients of the container.</summary>
public static class NatsTransportServiceCollectionExtensions
{
    /// <summary>Adds a transport over NATS subjects: requests, commands and notifications at most once, and durable bindings
    /// (<see cref="DurableBinding"/>) at least once.</summary>
    /// <param name="services">The service collection; it has the <see cref="NatsClient"/>, for example from <c>AddPostriderClient</c>.</param>
    /// <param name="name">The transport's name, for routes.</param>
    /// <param name="serializers">Read and write the messages of the bindings.</param>
    /// <param name="client">The key of the client; null for the one without a key.</param>
    /// <returns>A builder for bindings.</returns>
    /// <inheritdoc cref="TransportServiceCollectionExtensions.AddPostriderTransport" path="/remarks"/>
    public static TransportBuilder AddNatsTransport(this IServiceCollection services, string name, ISerializerProvider serializers, object? client = null)
        => services.AddPostriderTransport(name, provider => new NatsTransport(Client(provider, client, $"The transport '{name}'")), serializers, NatsTransport.PossibleAbilities);

    /// <summary>Adds a transport into streams, for routes: a message is sent when the stream has stored it.</summary>
    /// <param name="services">The service collection; it has the <see cref="NatsClient"/>, for example from <c>AddPostriderClient</c>.</param>
    /// <param name="name">The transport's name, for routes.</param>
    /// <param name="serializers">Read and write the messages of the bindings.</param>
    /// <param name="client">The key of the client; null for the one without a key.</param>
    /// <param name="schedules">The first token of the subjects of delayed messages, as <see cref="NatsStreamTransport.Schedules"/>; null for a
    /// transport without delays.</param>
    /// <returns>A builder for bindings.</returns>
    public static TransportBuilder AddNatsStreamTransport(this IServiceCollection services, string name, ISerializerProvider serializers, object? client = null, string? schedules = null)
        => services.AddPostriderTransport(
            name,
            provider => new NatsStreamTransport(Client(provider, client, $"The transport '{name}'")) { Schedules = schedules },
            serializers,
            schedules is null ? NatsStreamTransport.AbilitiesWithoutDelay : NatsStreamTransport.PossibleAbilities);

    /// <summary>Adds a transport over NATS subjects with the profiles of a configuration section.</summary>
    /// <param name="services">The service collection; it has the <see cref="NatsClient"/>, for example from <c>AddPostriderClient</c>.</param>
    /// <param name="name">The transport's name, for routes.</param>
    /// <param name="serializers">Read and write the messages of the bindings.</param>
    /// <param name="section">The section, with the keys of <see cref="NatsOptions"/>. A wrong value or an unknown key fails the start with
    /// an <see cref="Postrider.Configuration.InvalidConfigurationException"/> that names it.</param>
    /// <param name="client">The key of the client; null for the one without a key.</param>
    /// <param name="configure">Changes the options after the configuration has been read; null to leave them.</param>
    /// <returns>A builder for bindings.</returns>
    /// <inheritdoc cref="TransportServiceCollectionExtensions.AddPostriderTransport" path="/remarks"/>
    public static TransportBuilder AddNatsTransport(
        this IServiceCollection services, string name, ISerializerProvider serializers, IConfigurationSection section, object? client = null, Action<NatsOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(section);
        return services.AddPostriderTransport(name, provider => new NatsTransport(Client(provider, client, $"The transport '{name}'"), Options(section, configure)), serializers, NatsTransport.PossibleAbilities);
    }

    /// <summary>Adds a transport into streams with the profiles of a configuration section.</summary>
    /// <param name="services">The service collection; it has the <see cref="NatsClient"/>, for example from <c>AddPostriderClient</c>.</param>
    /// <param name="name">The transport's name, for routes.</param>
    /// <param name="serializers">Read and write the messages of the bindings.</param>
    /// <param name="section">The section, with the keys of <see cref="NatsOptions"/>. A wrong value or an unknown key fails the start with
    /// an <see cref="Postrider.Configuration.InvalidConfigurationException"/> that names it.</param>
    /// <param name="client">The key of the client; null for the one without a key.</param>
    /// <param name="configure">Changes the options after the configuration has been read; null to leave them.</param>
    /// <returns>A builder for bindings.</returns>
    public static TransportBuilder AddNatsStreamTransport(
        this IServiceCollection services, string name, ISerializerProvider serializers, IConfigurationSection section, object? client = null, Action<NatsOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(section);
        // Whether it delays messages is in the options, which are read later.
        return services.AddPostriderTransport(
            name,
            provider => new NatsStreamTransport(Client(provider, client, $"The transport '{name}'"), streams: null, Options(section, configure)),
            serializers,
            NatsStreamTransport.PossibleAbilities);
    }

    /// <summary>The client of a key.</summary>
    /// <param name="services">The application's services.</param>
    /// <param name="key">Its key; null for the one without a key.</param>
    /// <param name="user">What needs it, as named in errors: "The transport 'orders'".</param>
    internal static NatsClient Client(IServiceProvider services, object? key, string user)
        => (key is null ? services.GetService<NatsClient>() : services.GetKeyedService<NatsClient>(key)) ?? throw new PostriderException(
            PostriderError.Configuration,
            key is null
                ? $"{user} needs a NATS client, and none was added. Call AddPostriderClient() of Postrider.Client.Hosting."
                : $"{user} needs the NATS client '{key}', which was not added. Call AddPostriderClient(\"{key}\") of Postrider.Client.Hosting.");

    private static NatsOptions Options(IConfigurationSection section, Action<NatsOptions>? configure)
    {
        var options = new NatsOptions();
        NatsSection.Apply(section, options);
        configure?.Invoke(options);
        return options;
    }
}
