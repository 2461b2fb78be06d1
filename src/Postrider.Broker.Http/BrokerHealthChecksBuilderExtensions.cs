using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Postrider.Broker.Http;

/// <summary>Adds a health check of the host's broker.</summary>
public static class BrokerHealthChecksBuilderExtensions
{
    /// <summary>Adds a health check of the broker that <c>AddPostriderBroker</c> added: the result of its <c>/healthz</c> page.</summary>
    /// <param name="builder">The health checks.</param>
    /// <param name="tags">Tags of the check, for example <c>ready</c>.</param>
    /// <returns>The health checks.</returns>
    public static IHealthChecksBuilder AddPostriderBroker(this IHealthChecksBuilder builder, params IEnumerable<string> tags)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.Add(new HealthCheckRegistration("postrider-broker", static services => new BrokerHealthCheck(services.GetRequiredService<BrokerService>()), failureStatus: null, tags));
    }
}
