using Microsoft.Extensions.Configuration;
using Postrider.Configuration;

namespace Postrider.Client.Hosting;

/// <summary>Reads a client's options from a configuration section.</summary>
internal static class ClientSection
{
    /// <summary>The key of a file with credentials, which sets <see cref="ClientOptions.Credentials"/>.</summary>
    internal const string CredentialsFile = "CredentialsFile";

    /// <summary>The options that have a key, by the path of their property.</summary>
    internal static HashSet<string> Keys { get; } = new(StringComparer.Ordinal)
    {
        nameof(ClientOptions.Servers), nameof(ClientOptions.RandomizeServers), nameof(ClientOptions.UseDiscoveredServers), nameof(ClientOptions.Name),
        nameof(ClientOptions.User), nameof(ClientOptions.Password), nameof(ClientOptions.Token), nameof(ClientOptions.Echo), nameof(ClientOptions.Reconnect),
        nameof(ClientOptions.RetryFirstConnect), nameof(ClientOptions.MaxReconnectAttempts), nameof(ClientOptions.ConnectTimeout),
        nameof(ClientOptions.ReconnectDelay), nameof(ClientOptions.MaxReconnectDelay), nameof(ClientOptions.PingInterval),
        nameof(ClientOptions.MaxPingsOutstanding), nameof(ClientOptions.RequestTimeout), nameof(ClientOptions.DrainTimeout),
        nameof(ClientOptions.ReconnectBufferBytes), nameof(ClientOptions.MaxPendingBytes), nameof(ClientOptions.SubscriptionCapacity),
        nameof(ClientOptions.SlowConsumerPolicy), nameof(ClientOptions.InboxPrefix),
        nameof(ClientOptions.Tls), "Tls.CaFile", "Tls.CertFile", "Tls.KeyFile", "Tls.ServerName", "Tls.HandshakeFirst", "Tls.Insecure",
    };

    /// <summary>Whether the name is a key directly within the section.</summary>
    public static bool IsKey(string name)
        => !name.Contains('.', StringComparison.Ordinal) && Keys.Append(CredentialsFile).Contains(name, StringComparer.OrdinalIgnoreCase);

    public static void Apply(IConfigurationSection section, ClientOptions options, CredentialsFileReader? files, IReadOnlyList<string> others)
    {
        var reader = new SectionReader(section);
        foreach (var other in others)
            reader.Skip(other);
        Connection(reader, options);
        Credentials(reader, options, files);
        Timing(reader, options);
        options.ReconnectBufferBytes = (int)(reader.Bytes(nameof(options.ReconnectBufferBytes), int.MaxValue) ?? options.ReconnectBufferBytes);
        options.MaxPendingBytes = (int)(reader.Bytes(nameof(options.MaxPendingBytes), int.MaxValue) ?? options.MaxPendingBytes);
        options.SubscriptionCapacity = reader.Integer(nameof(options.SubscriptionCapacity), min: 1) ?? options.SubscriptionCapacity;
        options.SlowConsumerPolicy = reader.Choice<SlowConsumerPolicy>(nameof(options.SlowConsumerPolicy)) ?? options.SlowConsumerPolicy;
        options.InboxPrefix = reader.Text(nameof(options.InboxPrefix)) ?? options.InboxPrefix;
        if (reader.Section(nameof(options.Tls)) is { } tls)
            options.Tls = Tls(tls, options.Tls ?? new TlsOptions());
        reader.ThrowIfInvalid();
    }

    private static void Connection(SectionReader reader, ClientOptions options)
    {
        if (reader.IsEmptyList(nameof(options.Servers)))
        {
            reader.Problem(nameof(options.Servers), "is empty; it must have the address of a server, such as nats://localhost:4222. Remove the key for the server on this machine, or for the broker in the process.");
        }
        else if (reader.List(nameof(options.Servers)) is { } servers)
        {
            foreach (var server in servers)
            {
                if (!ClientOptions.IsServerAddress(server))
                    reader.Problem(nameof(options.Servers), $"has '{server}'; a server must be an address such as nats://localhost:4222 or tls://nats.example:4222.");
            }

            options.Servers = servers;
        }

        options.RandomizeServers = reader.Flag(nameof(options.RandomizeServers)) ?? options.RandomizeServers;
        options.UseDiscoveredServers = reader.Flag(nameof(options.UseDiscoveredServers)) ?? options.UseDiscoveredServers;
        options.Name = reader.Text(nameof(options.Name)) ?? options.Name;
        options.User = reader.Text(nameof(options.User)) ?? options.User;
        options.Password = reader.Text(nameof(options.Password)) ?? options.Password;
        options.Token = reader.Text(nameof(options.Token)) ?? options.Token;
        if (options is { Token: not null, User: not null })
            reader.Problem(nameof(options.Token), "and User are both set; a server takes one of them.");
        options.Echo = reader.Flag(nameof(options.Echo)) ?? options.Echo;
        options.Reconnect = reader.Flag(nameof(options.Reconnect)) ?? options.Reconnect;
        options.RetryFirstConnect = reader.Flag(nameof(options.RetryFirstConnect)) ?? options.RetryFirstConnect;
        options.MaxReconnectAttempts = reader.Integer(nameof(options.MaxReconnectAttempts), min: -1) ?? options.MaxReconnectAttempts;
    }

    private static void Credentials(SectionReader reader, ClientOptions options, CredentialsFileReader? files)
    {
        if (File(reader, CredentialsFile) is not { } path)
            return;
        if (options is not { User: null, Password: null, Token: null })
            reader.Problem(CredentialsFile, "is set together with User, Password or Token; set one of them.");
        if (files is null)
            reader.Problem(CredentialsFile, "is set, but this program cannot read such files. Reference the package Postrider.Client.Credentials and call builder.Services.AddPostriderCredentialsFiles().");
        else
            options.Credentials = files(path);
    }

    private static void Timing(SectionReader reader, ClientOptions options)
    {
        options.ConnectTimeout = reader.Duration(nameof(options.ConnectTimeout)) ?? options.ConnectTimeout;
        options.ReconnectDelay = reader.Duration(nameof(options.ReconnectDelay)) ?? options.ReconnectDelay;
        options.MaxReconnectDelay = reader.Duration(nameof(options.MaxReconnectDelay)) ?? options.MaxReconnectDelay;
        options.PingInterval = reader.Duration(nameof(options.PingInterval)) ?? options.PingInterval;
        options.MaxPingsOutstanding = reader.Integer(nameof(options.MaxPingsOutstanding), min: 1) ?? options.MaxPingsOutstanding;
        options.RequestTimeout = reader.Duration(nameof(options.RequestTimeout)) ?? options.RequestTimeout;
        options.DrainTimeout = reader.Duration(nameof(options.DrainTimeout)) ?? options.DrainTimeout;
        if (options.ReconnectDelay > options.MaxReconnectDelay)
            reader.Problem(nameof(options.ReconnectDelay), "is longer than MaxReconnectDelay; it must not exceed it.");
    }

    private static TlsOptions Tls(SectionReader reader, TlsOptions tls)
    {
        tls = tls with
        {
            CaFile = File(reader, nameof(tls.CaFile)) ?? tls.CaFile,
            CertFile = File(reader, nameof(tls.CertFile)) ?? tls.CertFile,
            KeyFile = File(reader, nameof(tls.KeyFile)) ?? tls.KeyFile,
            ServerName = reader.Text(nameof(tls.ServerName)) ?? tls.ServerName,
            HandshakeFirst = reader.Flag(nameof(tls.HandshakeFirst)) ?? tls.HandshakeFirst,
            Insecure = reader.Flag(nameof(tls.Insecure)) ?? tls.Insecure,
        };
        if (tls.CertFile is not null != tls.KeyFile is not null)
            reader.Problem(tls.CertFile is null ? nameof(tls.KeyFile) : nameof(tls.CertFile), "is set alone; a client certificate needs both CertFile and KeyFile.");
        return tls;
    }

    private static string? File(SectionReader reader, string key)
    {
        var path = reader.Text(key);
        if (path is not null && !System.IO.File.Exists(path))
            reader.Problem(key, $"is '{path}'; there is no such file.");
        return path;
    }
}
