using Microsoft.Extensions.Configuration;
using Postrider.Configuration;

namespace Postrider.Transport.Nats;

/// <summary>Reads a transport's options from a configuration section.</summary>
internal static class NatsSection
{
    /// <exception cref="InvalidConfigurationException">A value is wrong, or a key is unknown.</exception>
    internal static void Apply(IConfigurationSection section, NatsOptions options)
    {
        options.Place = section.Path;
        var reader = new SectionReader(section);
        options.Schedules = reader.Text(nameof(options.Schedules)) ?? options.Schedules;
        if (reader.Section(nameof(options.Throughput)) is { } throughput)
        {
            options.Throughput.MaxInFlight = throughput.Integer(nameof(NatsThroughput.MaxInFlight), min: 1) ?? options.Throughput.MaxInFlight;
            options.Throughput.PrefetchFactor = throughput.Integer(nameof(NatsThroughput.PrefetchFactor), min: 1) ?? options.Throughput.PrefetchFactor;
        }

        if (reader.Section(nameof(options.Retry)) is { } retry)
        {
            options.Retry.SendAttempts = retry.Integer(nameof(NatsRetry.SendAttempts), min: 1) ?? options.Retry.SendAttempts;
            options.Retry.MaxPause = retry.Duration(nameof(NatsRetry.MaxPause)) ?? options.Retry.MaxPause;
            options.Retry.ReopenPause = retry.Duration(nameof(NatsRetry.ReopenPause)) ?? options.Retry.ReopenPause;
        }

        if (reader.Section(nameof(options.Poison)) is { } poison)
            options.Poison.MaxBodyBytes = (int?)poison.Bytes(nameof(NatsPoison.MaxBodyBytes), int.MaxValue) ?? options.Poison.MaxBodyBytes;
        if (reader.Section(nameof(options.Observability)) is { } observability)
        {
            options.Observability.LogProfiles = observability.Flag(nameof(NatsObservability.LogProfiles)) ?? options.Observability.LogProfiles;
            options.Observability.ProbeTimeout = observability.Duration(nameof(NatsObservability.ProbeTimeout)) ?? options.Observability.ProbeTimeout;
        }

        reader.ThrowIfInvalid();
    }
}
