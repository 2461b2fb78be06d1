using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Postrider.Client.Hosting;

/// <summary>Adds NATS clients to a host.</summary>
public static class ClientHostExtensions
{
    /// <summary>The configuration section of the client without a name; one with a name has its own section below it.</summary>
    public const string SectionName = "Postrider:Client";

    /// <summary>Adds a client with the options of the configuration section <c>Postrider:Client</c>.</summary>
    /// <param name="builder">The host's builder.</param>
    /// <param name="configure">Changes the options after the configuration has been read; null to leave them.</param>
    /// <returns>The builder.</returns>
    /// <remarks>
    /// <para>Services take <see cref="NatsClient"/> as a parameter. The client connects before the host starts its services; if no server
    /// can be reached, the host does not start, unless <see cref="ClientOptions.RetryFirstConnect"/> is set: then it starts, and the
    /// client connects in the background. When the host has stopped its services, the client drains: running handlers end, and what was
    /// published is sent, within <see cref="ClientOptions.DrainTimeout"/> and the host's shutdown timeout.</para>
    /// <para>A client that names no server, and has neither a connector nor TLS, is a client of the broker that the host runs, if it runs
    /// one.</para>
    /// <para>A wrong value or an unknown key in the section ends the start with an
    /// <see cref="Postrider.Configuration.InvalidConfigurationException"/> that names it.</para>
    /// <para>The keys are the names of <see cref="ClientOptions"/>. The key <c>CredentialsFile</c>, the path of a <c>.creds</c> file, needs
    /// <c>builder.Services.AddPostriderCredentialsFiles()</c> of the package <c>Postrider.Client.Credentials</c>.</para>
    /// </remarks>
    /// <example><code>
    /// builder.AddPostriderClient();
    /// // appsettings.json: { "Postrider": { "Client": { "Servers": "nats://localhost:4222", "Name": "orders" } } }
    /// </code></example>
    public static IHostApplicationBuilder AddPostriderClient(this IHostApplicationBuilder builder, Action<ClientOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        builder.Services.AddPostriderClient(builder.Configuration.GetSection(SectionName), configure);
        return builder;
    }

    /// <summary>Adds a client whose options need services of the host, with the options of the configuration section
    /// <c>Postrider:Client</c>.</summary>
    /// <param name="builder">The host's builder.</param>
    /// <param name="configure">Changes the options after the configuration has been read, when the client is created.</param>
    /// <returns>The builder.</returns>
    /// <inheritdoc cref="AddPostriderClient(IHostApplicationBuilder, Action{ClientOptions}?)" path="/remarks"/>
    /// <example>The client of a broker in the same host that has no port:
    /// <code>
    /// builder.AddPostriderBroker(options => options.Listen = false);
    /// builder.AddPostriderClient((services, options) => options.Connector = services.GetRequiredService&lt;BrokerService&gt;().Connector);
    /// </code></example>
    public static IHostApplicationBuilder AddPostriderClient(this IHostApplicationBuilder builder, Action<IServiceProvider, ClientOptions> configure)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(configure);
        Add(builder.Services, null, builder.Configuration.GetSection(SectionName), configure);
        return builder;
    }

    /// <summary>Adds a client with a name and the options of the configuration section <c>Postrider:Client:NAME</c>. Services take it as
    /// <c>[FromKeyedServices("NAME")] NatsClient client</c>.</summary>
    /// <param name="builder">The host's builder.</param>
    /// <param name="name">The name.</param>
    /// <param name="configure">Changes the options after the configuration has been read; null to leave them.</param>
    /// <returns>The builder.</returns>
    /// <inheritdoc cref="AddPostriderClient(IHostApplicationBuilder, Action{ClientOptions}?)" path="/remarks"/>
    public static IHostApplicationBuilder AddPostriderClient(this IHostApplicationBuilder builder, string name, Action<ClientOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentException.ThrowIfNullOrEmpty(name);
        Add(builder.Services, name, builder.Configuration.GetSection($"{SectionName}:{name}"), WithoutServices(configure));
        return builder;
    }

    /// <summary>Adds a client with a name whose options need services of the host, with the options of the configuration section
    /// <c>Postrider:Client:NAME</c>. Services take it as <c>[FromKeyedServices("NAME")] NatsClient client</c>.</summary>
    /// <param name="builder">The host's builder.</param>
    /// <param name="name">The name.</param>
    /// <param name="configure">Changes the options after the configuration has been read, when the client is created.</param>
    /// <returns>The builder.</returns>
    /// <inheritdoc cref="AddPostriderClient(IHostApplicationBuilder, Action{ClientOptions}?)" path="/remarks"/>
    public static IHostApplicationBuilder AddPostriderClient(
        this IHostApplicationBuilder builder, string name, Action<IServiceProvider, ClientOptions> configure)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentNullException.ThrowIfNull(configure);
        Add(builder.Services, name, builder.Configuration.GetSection($"{SectionName}:{name}"), configure);
        return builder;
    }

    /// <summary>Adds a client with the options of a configuration section.</summary>
    /// <param name="services">The service collection.</param>
    /// <param name="section">The section; null for the defaults.</param>
    /// <param name="configure">Changes the options after the configuration has been read; null to leave them.</param>
    /// <returns>The service collection.</returns>
    /// <inheritdoc cref="AddPostriderClient(IHostApplicationBuilder, Action{ClientOptions}?)" path="/remarks"/>
    public static IServiceCollection AddPostriderClient(this IServiceCollection services, IConfigurationSection? section, Action<ClientOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        Add(services, null, section, WithoutServices(configure));
        return services;
    }

    /// <summary>Adds a health check of a client: healthy while it is connected, degraded while it reconnects, unhealthy when it is
    /// closed.</summary>
    /// <param name="builder">The health checks.</param>
    /// <param name="name">The client's name; null for the one without a name.</param>
    /// <param name="tags">Tags of the check, for example <c>ready</c>.</param>
    /// <returns>The health checks.</returns>
    public static IHealthChecksBuilder AddPostriderClient(this IHealthChecksBuilder builder, string? name = null, params IEnumerable<string> tags)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.Add(new HealthCheckRegistration(
            name is null ? "postrider-client" : $"postrider-client-{name}",
            services => new ClientHealthCheck(Find(services, name)), failureStatus: null, tags));
    }

    /// <summary>Adds a health check that is degraded while a consumer is behind its stream: messages that it has not yet delivered.</summary>
    /// <param name="builder">The health checks.</param>
    /// <param name="stream">The stream.</param>
    /// <param name="consumer">The consumer.</param>
    /// <param name="maxPending">The number of messages that is still healthy; not negative.</param>
    /// <param name="client">The client's name; null for the one without a name.</param>
    /// <param name="tags">Tags of the check.</param>
    /// <returns>The health checks. The check fails while the consumer does not exist or the server does not answer.</returns>
    public static IHealthChecksBuilder AddPostriderConsumer(
        this IHealthChecksBuilder builder, string stream, string consumer, long maxPending, string? client = null, params IEnumerable<string> tags)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentException.ThrowIfNullOrEmpty(stream);
        ArgumentException.ThrowIfNullOrEmpty(consumer);
        ArgumentOutOfRangeException.ThrowIfNegative(maxPending);
        return builder.Add(new HealthCheckRegistration(
            $"postrider-consumer-{stream}-{consumer}",
            services => new ConsumerHealthCheck(Find(services, client), stream, consumer, maxPending), HealthStatus.Degraded, tags));
    }

    private static Action<IServiceProvider, ClientOptions>? WithoutServices(Action<ClientOptions>? configure)
        => configure is null ? null : (_, options) => configure(options);

    private static void Add(IServiceCollection services, string? name, IConfigurationSection? section, Action<IServiceProvider, ClientOptions>? configure)
    {
        var added = AddedClients.Of(services);
        var registration = new ClientRegistration(name, section, configure, added);
        foreach (var service in services)
        {
            if (service.ServiceType == typeof(NatsClient) && Equals(service.ServiceKey, name))
                throw new InvalidOperationException(name is null
                    ? "AddPostriderClient was called twice without a name. Give one of the clients a name."
                    : $"AddPostriderClient was called twice with the name '{name}'.");
        }

        if (name is null)
        {
            services.AddSingleton(provider => registration.Create(provider));
        }
        else
        {
            if (ClientSection.IsKey(name))
                throw new InvalidOperationException($"A client cannot be named '{name}': {SectionName}:{name} is an option of the client without a name. Choose another name.");
            added.Names.Add(name);
            services.AddKeyedSingleton(name, (provider, _) => registration.Create(provider));
        }

        services.AddSingleton<IHostedService>(provider => new ClientLifetime(
            Find(provider, name), registration, provider.GetService<ILoggerFactory>()));
    }

    private static NatsClient Find(IServiceProvider services, string? name)
        => name is null ? services.GetRequiredService<NatsClient>() : services.GetRequiredKeyedService<NatsClient>(name);
}
