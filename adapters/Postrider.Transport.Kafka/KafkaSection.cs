using Microsoft.Extensions.Configuration;
using Postrider.Configuration;

namespace Postrider.Transport.Kafka;

/// <summary>Reads a transport's options from a configuration section.</summary>
internal static class KafkaSection
{
    /// <exception cref="InvalidConfigurationException">A value is wrong, or a key is unknown.</exception>
    internal static void Apply(IConfigurationSection section, KafkaOptions options)
    {
        options.Place = section.Path;
        var reader = new SectionReader(section);
        if (reader.Text("EventHubs") is { } connectionString)
        {
            try
            {
                options.UseEventHubs(connectionString);
            }
            catch (PostriderException wrong)
            {
                reader.Problem("EventHubs", $"is not valid: {wrong.Message}");
            }
        }

        options.Servers = reader.Text(nameof(options.Servers)) ?? options.Servers;
        options.ClientName = reader.Text(nameof(options.ClientName)) ?? options.ClientName;
        Apply(reader.Section(nameof(options.Security)), options.Security);
        Apply(reader.Section(nameof(options.Throughput)), options.Throughput);
        Apply(reader.Section(nameof(options.Retry)), options.Retry);
        if (reader.Section(nameof(options.Poison)) is { } poison)
            options.Poison.MaxBodyBytes = (int)(poison.Bytes(nameof(KafkaPoison.MaxBodyBytes), int.MaxValue) ?? options.Poison.MaxBodyBytes);
        if (reader.Section(nameof(options.Observability)) is { } observability)
        {
            options.Observability.LogProfiles = observability.Flag(nameof(KafkaObservability.LogProfiles)) ?? options.Observability.LogProfiles;
            options.Observability.ProbeTimeout = observability.Duration(nameof(KafkaObservability.ProbeTimeout)) ?? options.Observability.ProbeTimeout;
        }

        reader.ThrowIfInvalid();
    }

    private static void Apply(SectionReader? reader, KafkaSecurity security)
    {
        if (reader is null)
            return;
        security.Tls = reader.Flag(nameof(security.Tls)) ?? security.Tls;
        security.CaFile = reader.Text(nameof(security.CaFile)) ?? security.CaFile;
        security.User = reader.Text(nameof(security.User)) ?? security.User;
        security.Password = reader.Text(nameof(security.Password)) ?? security.Password;
        security.Mechanism = reader.Choice<KafkaSaslMechanism>(nameof(security.Mechanism)) ?? security.Mechanism;
    }

    private static void Apply(SectionReader? reader, KafkaThroughput throughput)
    {
        if (reader is null)
            return;
        throughput.Linger = reader.Duration(nameof(throughput.Linger)) ?? throughput.Linger;
        throughput.BatchBytes = (int)(reader.Bytes(nameof(throughput.BatchBytes), int.MaxValue) ?? throughput.BatchBytes);
        throughput.MaxUnconfirmed = reader.Integer(nameof(throughput.MaxUnconfirmed), min: 1) ?? throughput.MaxUnconfirmed;
        throughput.Compression = reader.Choice<KafkaCompression>(nameof(throughput.Compression)) ?? throughput.Compression;
        throughput.Acks = reader.Choice<KafkaAcks>(nameof(throughput.Acks)) ?? throughput.Acks;
        throughput.Idempotence = reader.Flag(nameof(throughput.Idempotence)) ?? throughput.Idempotence;
        throughput.MaxUnsettled = reader.Integer(nameof(throughput.MaxUnsettled), min: 1) ?? throughput.MaxUnsettled;
        throughput.ReadAheadBytes = (int)(reader.Bytes(nameof(throughput.ReadAheadBytes), int.MaxValue) ?? throughput.ReadAheadBytes);
    }

    private static void Apply(SectionReader? reader, KafkaRetry retry)
    {
        if (reader is null)
            return;
        retry.SendTimeout = reader.Duration(nameof(retry.SendTimeout)) ?? retry.SendTimeout;
        retry.UnknownTopicWait = reader.Duration(nameof(retry.UnknownTopicWait)) ?? retry.UnknownTopicWait;
        retry.MaxPause = reader.Duration(nameof(retry.MaxPause)) ?? retry.MaxPause;
        retry.CommitInterval = reader.Duration(nameof(retry.CommitInterval)) ?? retry.CommitInterval;
        retry.HandOverWait = reader.Duration(nameof(retry.HandOverWait)) ?? retry.HandOverWait;
        retry.SessionTimeout = reader.Duration(nameof(retry.SessionTimeout)) ?? retry.SessionTimeout;
    }
}
