using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Postrider.Transports;

/// <summary>Adds health checks of transports.</summary>
public static class TransportHealthChecksBuilderExtensions
{
    /// <summary>Adds a health check of a transport that <c>AddPostriderTransport</c> added: it checks with the server.</summary>
    /// <param name="builder">The health checks.</param>
    /// <param name="name">The transport's name.</param>
    /// <param name="tags">Tags of the check.</param>
    /// <returns>The health checks.</returns>
    public static IHealthChecksBuilder AddPostriderTransport(this IHealthChecksBuilder builder, string name, params IEnumerable<string> tags)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentException.ThrowIfNullOrEmpty(name);
        return builder.Add(new HealthCheckRegistration(
            $"postrider-transport-{name}", services => new TransportHealthCheck(services.GetRequiredKeyedService<ITransport>(name)), failureStatus: null, tags));
    }
}
