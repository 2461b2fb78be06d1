using Microsoft.Extensions.Configuration;
using Postrider.Configuration;

namespace Postrider.Transport.ServiceBus;

/// <summary>Reads a transport's options from a configuration section.</summary>
internal static class ServiceBusSection
{
    /// <exception cref="InvalidConfigurationException">A value is wrong, or a key is unknown.</exception>
    internal static void Apply(IConfigurationSection section, ServiceBusOptions options)
    {
        var reader = new SectionReader(section);
        if (reader.Text(nameof(options.ConnectionString)) is { } text)
        {
            try
            {
                ServiceBusConnectionString.Parse(text);
                options.ConnectionString = text;
            }
            catch (PostriderException wrong)
            {
                reader.Problem(nameof(options.ConnectionString), $"is not valid: {wrong.Message}");
            }
        }

        options.TokenLifetime = reader.Duration(nameof(options.TokenLifetime)) ?? options.TokenLifetime;
        options.CaFile = reader.Text(nameof(options.CaFile)) ?? options.CaFile;
        options.ClientName = reader.Text(nameof(options.ClientName)) ?? options.ClientName;
        if (reader.Section(nameof(options.Throughput)) is { } throughput)
        {
            options.Throughput.MaxTransfers = throughput.Integer(nameof(ServiceBusThroughput.MaxTransfers), min: 1) ?? options.Throughput.MaxTransfers;
            options.Throughput.MaxBatch = throughput.Integer(nameof(ServiceBusThroughput.MaxBatch), min: 1) ?? options.Throughput.MaxBatch;
            options.Throughput.PrefetchFactor = throughput.Integer(nameof(ServiceBusThroughput.PrefetchFactor), min: 1) ?? options.Throughput.PrefetchFactor;
        }

        if (reader.Section(nameof(options.Retry)) is { } retry)
        {
            options.Retry.SendAttempts = retry.Integer(nameof(ServiceBusRetry.SendAttempts), min: 1) ?? options.Retry.SendAttempts;
            options.Retry.MaxPause = retry.Duration(nameof(ServiceBusRetry.MaxPause)) ?? options.Retry.MaxPause;
            options.Retry.BusyPause = retry.Duration(nameof(ServiceBusRetry.BusyPause)) ?? options.Retry.BusyPause;
            options.Retry.AnswerTimeout = retry.Duration(nameof(ServiceBusRetry.AnswerTimeout)) ?? options.Retry.AnswerTimeout;
        }

        if (reader.Section(nameof(options.Poison)) is { } poison)
            options.Poison.MaxBodyBytes = (int)(poison.Bytes(nameof(ServiceBusPoison.MaxBodyBytes), int.MaxValue) ?? options.Poison.MaxBodyBytes);
        if (reader.Section(nameof(options.Observability)) is { } observability)
        {
            options.Observability.LogProfiles = observability.Flag(nameof(ServiceBusObservability.LogProfiles)) ?? options.Observability.LogProfiles;
            options.Observability.ProbeTimeout = observability.Duration(nameof(ServiceBusObservability.ProbeTimeout)) ?? options.Observability.ProbeTimeout;
        }

        reader.ThrowIfInvalid();
    }
}
