using Microsoft.Extensions.Configuration;
using Postrider.Configuration;

namespace Postrider.Broker.Configuration;

/// <summary>Reads a broker's options from a section of the application's configuration.</summary>
internal static class BrokerSection
{
    public static void Apply(IConfigurationSection section, BrokerOptions options)
    {
        var reader = new SectionReader(section);
        options.Host = reader.Text(nameof(options.Host)) ?? options.Host;
        options.Port = reader.Integer(nameof(options.Port), min: -1, max: ushort.MaxValue) ?? options.Port;
        options.Listen = reader.Flag(nameof(options.Listen)) ?? options.Listen;
        options.ServerName = reader.Text(nameof(options.ServerName)) ?? options.ServerName;
        options.ClientAdvertise = reader.Text(nameof(options.ClientAdvertise)) ?? options.ClientAdvertise;
        options.ServerTags = reader.List(nameof(options.ServerTags)) ?? options.ServerTags;
        Limits(reader, options);
        if (reader.Section(nameof(options.Monitoring)) is { } monitoring)
            Monitoring(monitoring, options.Monitoring);
        if (reader.Section(nameof(options.JetStream)) is { } jetStream)
            JetStream(jetStream, options.JetStream ??= new JetStreamOptions());
        if (reader.Text(nameof(options.ConfigurationFile)) is { } file)
        {
            if (File.Exists(file))
                ConfigurationFile.Apply(file, options);
            else
                reader.Problem(nameof(options.ConfigurationFile), $"is '{file}'; there is no such file.");
        }

        reader.ThrowIfInvalid();
    }

    private static void Limits(SectionReader reader, BrokerOptions options)
    {
        options.MaxPayloadBytes = (int)(reader.Bytes(nameof(options.MaxPayloadBytes), 64 * 1024 * 1024) ?? options.MaxPayloadBytes);
        options.MaxControlLineBytes = (int)(reader.Bytes(nameof(options.MaxControlLineBytes), int.MaxValue) ?? options.MaxControlLineBytes);
        options.MaxConnections = reader.Integer(nameof(options.MaxConnections), min: 1) ?? options.MaxConnections;
        options.MaxSubscriptions = reader.Integer(nameof(options.MaxSubscriptions)) ?? options.MaxSubscriptions;
        options.MaxPendingBytes = reader.Bytes(nameof(options.MaxPendingBytes)) ?? options.MaxPendingBytes;
        options.PingInterval = reader.Duration(nameof(options.PingInterval)) ?? options.PingInterval;
        options.MaxPingsOut = reader.Integer(nameof(options.MaxPingsOut), min: 1) ?? options.MaxPingsOut;
        options.WriteDeadline = reader.Duration(nameof(options.WriteDeadline)) ?? options.WriteDeadline;
        options.LameDuckDuration = reader.Duration(nameof(options.LameDuckDuration)) ?? options.LameDuckDuration;
        options.LameDuckGracePeriod = reader.Duration(nameof(options.LameDuckGracePeriod)) ?? options.LameDuckGracePeriod;
    }

    private static void Monitoring(SectionReader reader, MonitoringOptions options)
    {
        options.Host = reader.Text(nameof(options.Host)) ?? options.Host;
        options.Port = reader.Integer(nameof(options.Port), min: -1, max: ushort.MaxValue) ?? options.Port;
        options.BasePath = reader.Text(nameof(options.BasePath)) ?? options.BasePath;
        options.User = reader.Text(nameof(options.User)) ?? options.User;
        options.Password = reader.Text(nameof(options.Password)) ?? options.Password;
        options.DashboardActions = reader.Flag(nameof(options.DashboardActions)) ?? options.DashboardActions;
        options.MaxStreamMetrics = reader.Integer(nameof(options.MaxStreamMetrics)) ?? options.MaxStreamMetrics;
    }

    private static void JetStream(SectionReader reader, JetStreamOptions options)
    {
        options.Enabled = reader.Flag(nameof(options.Enabled)) ?? options.Enabled;
        options.StoreDirectory = reader.Text(nameof(options.StoreDirectory)) ?? options.StoreDirectory;
        options.MaxMemoryBytes = reader.Bytes(nameof(options.MaxMemoryBytes)) ?? options.MaxMemoryBytes;
        options.MaxStoreBytes = reader.Bytes(nameof(options.MaxStoreBytes)) ?? options.MaxStoreBytes;
        options.Domain = reader.Text(nameof(options.Domain)) ?? options.Domain;
        options.Durability = reader.Choice<JetStreamDurability>(nameof(options.Durability)) ?? options.Durability;
        options.SyncInterval = reader.Duration(nameof(options.SyncInterval)) ?? options.SyncInterval;
    }
}
