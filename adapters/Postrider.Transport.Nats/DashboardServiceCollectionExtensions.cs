using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Client;
using Postrider.Transports;

namespace Postrider.Transport.Nats;

/// <summary>Adds the NATS services that the dashboard shows to a host.</summary>
public static class DashboardServiceCollectionExtensions
{
    /// <summary>Serves the handlers and routes of this application, and the dead letters of its transports, over NATS for as long as the host
    /// runs: the dashboard's pages of services, routes and dead letters show them.</summary>
    /// <param name="services">The service collection that <c>AddPostrider</c> is called on; it has the <see cref="NatsClient"/>, for example from
    /// <c>AddPostriderClient</c>.</param>
    /// <param name="application">The display name of the application.</param>
    /// <param name="transports">The names of the transports whose dead letters are served; null for all transports of the container, including
    /// those that are added later; none for no dead letters.</param>
    /// <param name="client">The key of the client; null for the one without a key.</param>
    /// <returns>The service collection.</returns>
    /// <remarks>
    /// The services are those of <see cref="HandlerServiceExtensions.AddHandlerService"/> and
    /// <see cref="DeadLetterServiceExtensions.AddDeadLetterService"/>. Every client that may publish to <c>postrider.deadletters.></c> may list,
    /// send back and remove dead letters. One of the processes that serve dead letters in an account answers each request: they must have
    /// the same transports, so in several applications only one should serve them.
    /// Errors: a client or a transport that was not added ends the start with a <see cref="PostriderException"/> that names it.
    /// </remarks>
    /// <example><code>
    /// builder.AddPostriderClient();
    /// builder.Services.AddNatsTransport("parcels", serializers);
    /// builder.Services.AddPostriderDashboardServices("billing");
    /// </code></example>
    public static IServiceCollection AddPostriderDashboardServices(
        this IServiceCollection services, string application, IEnumerable<string>? transports = null, object? client = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentException.ThrowIfNullOrEmpty(application);
        var names = transports?.ToArray();
        // Read when the host starts: transports may be added after this call.
        services.AddSingleton<IHostedService>(provider => new DashboardServices(provider, application, names ?? [.. NamesOf(services)], client));
        return services;
    }

    private static IEnumerable<string> NamesOf(IServiceCollection services)
        => services.Where(static service => service.IsKeyedService && service.ServiceType == typeof(ITransport)).Select(static service => service.ServiceKey).OfType<string>().Distinct(StringComparer.Ordinal);
}
