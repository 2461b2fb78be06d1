using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;

namespace Postrider.Client.Credentials;

/// <summary>Adds the reader of credentials files to a container.</summary>
public static class CredentialsServiceCollectionExtensions
{
    /// <summary>Makes the configuration key <c>CredentialsFile</c> of clients work: the path of a <c>.creds</c> file.</summary>
    /// <param name="services">The service collection that <c>AddPostriderClient</c> of <c>Postrider.Client.Hosting</c> is called on, in any
    /// order.</param>
    /// <returns>The service collection.</returns>
    /// <remarks>The file is read for each connection, as by <see cref="NatsCredentials.FromFile"/>: a renewed file is used from the next
    /// reconnect on. A second call has no effect.</remarks>
    /// <example><code>
    /// builder.AddPostriderClient();
    /// builder.Services.AddPostriderCredentialsFiles();
    /// // appsettings.json: { "Postrider": { "Client": { "CredentialsFile": "/etc/shop/shop.creds" } } }
    /// </code></example>
    public static IServiceCollection AddPostriderCredentialsFiles(this IServiceCollection services)
    {
        ArgumentNullException.ThrowIfNull(services);
        services.TryAddSingleton<CredentialsFileReader>(NatsCredentials.FromFile);
        return services;
    }
}
