using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Postrider.Rpc.Server;

/// <summary>Registers the services for one-way operations over HTTP.</summary>
public static class OneWayCallQueueServiceCollectionExtensions
{
    /// <summary>Limits pending one-way calls for the whole application and waits for them on shutdown.</summary>
    /// <remarks>Without it, each <c>MapRpc</c> has its own limits, and pending calls are lost when the application ends.</remarks>
    /// <param name="services">The application's services.</param>
    /// <param name="options">The limits; null for the defaults.</param>
    /// <returns>The services.</returns>
    public static IServiceCollection AddOneWayCallQueue(this IServiceCollection services, OneWayCallQueueOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        var events = new OneWayCallQueue(options);
        return services.AddSingleton(events).AddHostedService(provider =>
        {
            events.Logger = provider.GetService<ILoggerFactory>()?.CreateLogger("Postrider.Rpc") ?? events.Logger;
            return events;
        });
    }
}
