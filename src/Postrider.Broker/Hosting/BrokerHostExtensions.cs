using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Broker.Monitoring;

namespace Postrider.Broker;

/// <summary>Adds a broker to a host.</summary>
public static class BrokerHostExtensions
{
    /// <summary>Adds a broker that starts and stops with the host. Other services can resolve it as <see cref="BrokerService"/>.</summary>
    /// <param name="builder">The host's builder.</param>
    /// <param name="configure">Changes the options; without it the broker listens on 127.0.0.1:4222.</param>
    /// <returns>The builder.</returns>
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
    public static IHostApplicationBuilder AddPostriderBroker(this IHostApplicationBuilder builder, string configurationFile)
    {
        ArgumentNullException.ThrowIfNull(builder);
        var options = new BrokerOptions();
        ConfigurationFile.Apply(configurationFile, options);
        options.Validate();
        return Add(builder, options);
    }

    private static IHostApplicationBuilder Add(IHostApplicationBuilder builder, BrokerOptions options)
    {
        builder.Services.AddSingleton(services => new BrokerService(
            options,
            services.GetServices<IBrokerExtension>(),
            services.GetService<ILoggerFactory>() ?? NullLoggerFactory.Instance));
        builder.Services.AddSingleton<IHostedService>(services => services.GetRequiredService<BrokerService>());
        return builder;
    }
}
