using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Postrider.Client.Hosting;

/// <summary>Creates streams, consumers and buckets when the host starts.</summary>
public static class ProvisioningExtensions
{
    /// <summary>Creates streams, consumers, key-value and object buckets before the host starts its services, or updates them to match:
    /// everything that handlers and routes need exists when they start.</summary>
    /// <param name="builder">The host's builder. Call <c>AddPostriderClient</c> before.</param>
    /// <param name="configure">Names the streams, consumers and buckets that must exist.</param>
    /// <param name="client">The name of the client; null for the one without a name.</param>
    /// <returns>The builder.</returns>
    /// <remarks>Several processes may do this concurrently. Objects that a configuration no longer names stay; nothing is deleted. A change that the
    /// server does not allow, such as another storage type, ends the start with the server's error.</remarks>
    /// <exception cref="InvalidOperationException">There is no such client yet.</exception>
    /// <example><code>
    /// builder.AddPostriderClient();
    /// builder.AddPostriderStreams(needed => needed
    ///     .Stream(new StreamConfig { Name = "ORDERS", Subjects = ["orders.>"] })
    ///     .KeyValue(new KeyValueConfig { Bucket = "carts" }));
    /// </code></example>
    public static IHostApplicationBuilder AddPostriderStreams(this IHostApplicationBuilder builder, Action<StreamProvisioning> configure, string? client = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(configure);
        if (!builder.Services.Any(service => service.ServiceType == typeof(NatsClient) && Equals(service.ServiceKey, client)))
        {
            throw new InvalidOperationException(client is null
                ? "AddPostriderStreams needs a client. Call AddPostriderClient() first."
                : $"AddPostriderStreams needs the client '{client}'. Call AddPostriderClient(\"{client}\") first.");
        }

        var needed = new StreamProvisioning();
        configure(needed);
        builder.Services.AddSingleton<IHostedService>(services => new ProvisioningService(
            client is null ? services.GetRequiredService<NatsClient>() : services.GetRequiredKeyedService<NatsClient>(client), needed, services.GetService<ILoggerFactory>()));
        return builder;
    }
}
