using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Broker.Monitoring;

namespace Postrider.Broker.Http;

/// <summary>Adds the monitoring pages of a host's broker to the host.</summary>
public static class MonitoringHostExtensions
{
    /// <summary>Serves the monitoring pages and <c>/metrics</c> of the broker at its <see cref="BrokerOptions.Monitoring"/>.
    /// Other services can resolve <see cref="HttpMonitoring"/> for the address.</summary>
    /// <param name="builder">The host's builder.</param>
    /// <returns>The builder.</returns>
    public static IHostApplicationBuilder AddPostriderMonitoring(this IHostApplicationBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        builder.Services.AddSingleton<HttpMonitoring>();
        builder.Services.AddSingleton<IBrokerExtension>(services => services.GetRequiredService<HttpMonitoring>());
        return builder;
    }
}
