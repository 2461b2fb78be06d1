using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Rpc.Server;

/// <summary>Registers what one-way operations over HTTP need.</summary>
public static class OneWayCallQueueServiceCollectionExtensions
{
    /// <summary>Bounds the calls of one-way operations that are under way, for the whole application, and lets it end only when they have.</summary>
    /// <remarks>Without it each <c>MapRpc</c> has bounds of its own, and what is under way when the application ends is lost.</remarks>
    /// <param name="services">The application's services.</param>
    /// <param name="options">How much; null for the defaults.</param>
    /// <returns>The services.</returns>
    public static IServiceCollection AddOneWayCallQueue(this IServiceCollection services, OneWayCallQueueOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        var events = new OneWayCallQueue(options);
        return services.AddSingleton(events).AddHostedService(_ => events);
    }
}
