using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Broker.Configuration;
using Postrider.Broker.Monitoring;
using Postrider.Configuration;

namespace Postrider.Broker;

/// <summary>Adds a broker to a host.</summary>
public static class BrokerHostExtensions
{
    /// <summary>Adds a broker that starts before the host's other services and stops after them. They can resolve it as
    /// <see cref="BrokerService"/>.</summary>
    /// <param name="builder">The host's builder.</param>
    /// <param name="configure">Changes the options; without it the broker listens on 127.0.0.1:4222.</param>
    /// <returns>The builder.</returns>
    /// <exception cref="BrokerException">The options contradict each other.</exception>
    /// <exception cref="InvalidOperationException">The host already has a broker.</exception>
    /// <example><code>
    /// builder.AddPostriderBroker(options => options.Port = BrokerOptions.RandomPort);
    /// </code></example>
    public static IHostApplicationBuilder AddPostriderBroker(this IHostApplicationBuilder builder, Action<BrokerOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        var options = new BrokerOptions();
        configure?.Invoke(options);
        options.Validate();
        return Add(builder, options);
    }

    /// <summary>Adds a broker with the options of a configuration file in nats-server's format.</summary>
    /// <param name="builder">The host's builder.</param>
    /// <param name="configurationFile">The file.</param>
    /// <returns>The builder.</returns>
    /// <exception cref="BrokerException">The file cannot be read or has errors.</exception>
    /// <exception cref="InvalidOperationException">The host already has a broker.</exception>
    public static IHostApplicationBuilder AddPostriderBroker(this IHostApplicationBuilder builder, string configurationFile)
    {
        ArgumentNullException.ThrowIfNull(builder);
        var options = new BrokerOptions();
        ConfigurationFile.Apply(configurationFile, options);
        options.Validate();
        return Add(builder, options);
    }

    /// <summary>Adds a broker with the options of a configuration section: <c>Host</c>, <c>Port</c>, <c>JetStream:StoreDirectory</c> and the
    /// other properties of <see cref="BrokerOptions"/>, and <c>ConfigurationFile</c> for a file in nats-server's
    /// format.</summary>
    /// <param name="builder">The host's builder.</param>
    /// <param name="section">The section, for example <c>builder.Configuration.GetSection("Postrider:Broker")</c>.</param>
    /// <param name="configure">Changes the options after the configuration has been read; null to leave them.</param>
    /// <returns>The builder.</returns>
    /// <exception cref="Postrider.Configuration.InvalidConfigurationException">A value is invalid or a key is unknown; the message names each
    /// of them.</exception>
    /// <exception cref="BrokerException">The configuration file has errors, or the options contradict each other.</exception>
    /// <exception cref="InvalidOperationException">The host already has a broker.</exception>
    public static IHostApplicationBuilder AddPostriderBroker(
        this IHostApplicationBuilder builder, IConfigurationSection section, Action<BrokerOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(section);
        RootSection.Check(builder.Configuration);
        var options = new BrokerOptions { OptionNames = path => $"{section.Path}:{path.Replace('.', ':')}" };
        BrokerSection.Apply(section, options);
        configure?.Invoke(options);
        options.Validate();
        return Add(builder, options);
    }

    private static IHostApplicationBuilder Add(IHostApplicationBuilder builder, BrokerOptions options)
    {
        if (builder.Services.Any(static service => service.ServiceType == typeof(BrokerService)))
            throw new InvalidOperationException("AddPostriderBroker was called twice. A host has one broker; start others with NatsBroker.StartAsync.");
        builder.Services.AddSingleton<IBrokerExtension, BrokerMetrics>();
        builder.Services.AddSingleton(services => new BrokerService(
            options,
            services.GetServices<IBrokerExtension>(),
            services.GetService<ILoggerFactory>() ?? NullLoggerFactory.Instance));
        // Clients of the host that name no server use it.
        builder.Services.TryAddSingleton(services => services.GetRequiredService<BrokerService>().Connector);
        // The first one: services start in this order and stop in the reverse one, and the others may need the broker.
        builder.Services.Insert(0, ServiceDescriptor.Singleton<IHostedService>(services => services.GetRequiredService<BrokerService>()));
        return builder;
    }
}
