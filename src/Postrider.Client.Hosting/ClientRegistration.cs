using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Configuration;

namespace Postrider.Client.Hosting;

/// <summary>A client of a host: its name and the source of its options.</summary>
internal sealed class ClientRegistration(string? name, IConfigurationSection? section, Action<ClientOptions>? configure)
{
    /// <summary>The name of the client in messages.</summary>
    public string Title => name is null ? "The NATS client" : $"The NATS client '{name}'";

    /// <summary>The source of its options, for error messages.</summary>
    public string Source => section?.Path ?? nameof(ClientOptions);

    /// <summary>Creates the client; it is not connected.</summary>
    /// <exception cref="InvalidConfigurationException">A value is wrong, or a key is unknown.</exception>
    public NatsClient Create(IServiceProvider services)
    {
        var options = new ClientOptions();
        if (section is not null)
            ClientSection.Apply(section, options, services.GetService<CredentialsFileReader>());
        configure?.Invoke(options);
        options.LoggerFactory ??= services.GetService<ILoggerFactory>();
        return NatsClient.Create(options);
    }
}
