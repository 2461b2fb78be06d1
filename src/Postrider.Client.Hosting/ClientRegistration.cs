using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Configuration;
using Postrider.Sockets;

namespace Postrider.Client.Hosting;

/// <summary>A client of a host: its name and the source of its options.</summary>
internal sealed class ClientRegistration(string? name, IConfigurationSection? section, Action<IServiceProvider, ClientOptions>? configure, AddedClients added)
{
    /// <summary>The name of the client in messages.</summary>
    public string Title => name is null ? "The NATS client" : $"The NATS client '{name}'";

    /// <summary>The source of its options, for error messages.</summary>
    public string Source => section?.Path ?? nameof(ClientOptions);

    /// <summary>The name of an option for the people who set it: its key, or its property if it has none.</summary>
    /// <param name="path">The path of the property below <see cref="ClientOptions"/>.</param>
    public string NameOf(string path)
    {
        if (section is not null && path == nameof(ClientOptions.Credentials) && section[ClientSection.CredentialsFile] is not null)
            return $"{section.Path}:{ClientSection.CredentialsFile}";
        return section is not null && ClientSection.Keys.Contains(path) ? $"{section.Path}:{path.Replace('.', ':')}" : $"{nameof(ClientOptions)}.{path}";
    }

    /// <summary>Creates the client; it is not connected.</summary>
    /// <exception cref="InvalidConfigurationException">A value is wrong, or a key is unknown.</exception>
    public NatsClient Create(IServiceProvider services)
    {
        var options = new ClientOptions();
        var standard = options.Servers;
        if (section is not null)
        {
            RootSection.Check(services.GetService<IConfiguration>());
            ClientSection.Apply(section, options, services.GetService<CredentialsFileReader>(), name is null ? added.Names : []);
        }

        configure?.Invoke(services, options);
        // Without a server of its own, it is a client of the broker that runs in the host.
        if (options is { Connector: null, Tls: null } && ReferenceEquals(options.Servers, standard))
            options.Connector = services.GetService<IConnector>();
        options.LoggerFactory ??= services.GetService<ILoggerFactory>();
        // Without credentials there are two ways to set them.
        options.OptionNames ??= section is null
            ? null
            : path => path == nameof(ClientOptions.Credentials) && options.Credentials is null
                ? $"{section.Path}:{ClientSection.CredentialsFile} or {nameof(ClientOptions)}.{path}"
                : NameOf(path);
        return NatsClient.Create(options);
    }
}
