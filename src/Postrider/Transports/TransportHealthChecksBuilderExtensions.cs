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

    /// <summary>Adds a health check that is degraded while a destination of dead letters has more than a number of them. It does not
    /// read more than that.</summary>
    /// <param name="builder">The health checks.</param>
    /// <param name="transport">The transport's name.</param>
    /// <param name="source">The destination of the dead letters, as in <see cref="AtLeastOnceBinding.DeadLetter"/>.</param>
    /// <param name="max">The number that is still healthy: zero or more, at most 10,000.</param>
    /// <param name="tags">Tags of the check.</param>
    /// <returns>The health checks. The check fails where the transport cannot list dead letters.</returns>
    public static IHealthChecksBuilder AddPostriderDeadLetters(
        this IHealthChecksBuilder builder, string transport, string source, int max = 0, params IEnumerable<string> tags)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentException.ThrowIfNullOrEmpty(transport);
        ArgumentException.ThrowIfNullOrEmpty(source);
        ArgumentOutOfRangeException.ThrowIfNegative(max);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(max, 10_000);
        return builder.Add(new HealthCheckRegistration(
            $"postrider-dead-letters-{transport}-{source}",
            services => new DeadLetterHealthCheck(services.GetRequiredKeyedService<ITransport>(transport), source, max), HealthStatus.Degraded, tags));
    }
}
