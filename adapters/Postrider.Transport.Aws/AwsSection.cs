using Microsoft.Extensions.Configuration;
using Postrider.Configuration;

namespace Postrider.Transport.Aws;

/// <summary>Reads a transport's options from a configuration section.</summary>
internal static class AwsSection
{
    /// <exception cref="InvalidConfigurationException">A value is wrong, or a key is unknown.</exception>
    internal static void Apply(IConfigurationSection section, AwsOptions options)
    {
        var reader = new SectionReader(section);
        options.Region = reader.Text(nameof(options.Region)) ?? options.Region;
        if (reader.Text(nameof(options.Endpoint)) is { } endpoint)
        {
            if (Uri.TryCreate(endpoint, UriKind.Absolute, out var address) && address.Scheme is "http" or "https")
                options.Endpoint = address;
            else
                reader.Problem(nameof(options.Endpoint), $"is '{endpoint}'; it must be an address such as http://localhost:4566.");
        }

        options.AccountId = reader.Text(nameof(options.AccountId)) ?? options.AccountId;
        options.AccessKey = reader.Text(nameof(options.AccessKey)) ?? options.AccessKey;
        options.SecretKey = reader.Text(nameof(options.SecretKey)) ?? options.SecretKey;
        options.SessionToken = reader.Text(nameof(options.SessionToken)) ?? options.SessionToken;
        options.QueueType = reader.Choice<AwsQueueType>(nameof(options.QueueType)) ?? options.QueueType;
        options.EventSource = reader.Text(nameof(options.EventSource)) ?? options.EventSource;
        if (reader.Section(nameof(options.Throughput)) is { } throughput)
        {
            options.Throughput.MaxUnconfirmed = throughput.Integer(nameof(AwsThroughput.MaxUnconfirmed), min: 1) ?? options.Throughput.MaxUnconfirmed;
            options.Throughput.MaxRequests = throughput.Integer(nameof(AwsThroughput.MaxRequests), min: 1) ?? options.Throughput.MaxRequests;
            options.Throughput.Pollers = throughput.Integer(nameof(AwsThroughput.Pollers), min: 1) ?? options.Throughput.Pollers;
            options.Throughput.PrefetchFactor = throughput.Integer(nameof(AwsThroughput.PrefetchFactor), min: 1) ?? options.Throughput.PrefetchFactor;
            options.Throughput.StopWait = throughput.Duration(nameof(AwsThroughput.StopWait)) ?? options.Throughput.StopWait;
            options.Throughput.PollWait = throughput.Duration(nameof(AwsThroughput.PollWait)) ?? options.Throughput.PollWait;
        }

        if (reader.Section(nameof(options.Retry)) is { } retry)
        {
            options.Retry.SendAttempts = retry.Integer(nameof(AwsRetry.SendAttempts), min: 1) ?? options.Retry.SendAttempts;
            options.Retry.MaxPause = retry.Duration(nameof(AwsRetry.MaxPause)) ?? options.Retry.MaxPause;
            options.Retry.RequestTimeout = retry.Duration(nameof(AwsRetry.RequestTimeout)) ?? options.Retry.RequestTimeout;
        }

        if (reader.Section(nameof(options.Poison)) is { } poison)
        {
            options.Poison.MaxBodyBytes = (int)(poison.Bytes(nameof(AwsPoison.MaxBodyBytes), SqsLimits.MaxMessageBytes) ?? options.Poison.MaxBodyBytes);
            options.Poison.ServerRedrive = poison.Flag(nameof(AwsPoison.ServerRedrive)) ?? options.Poison.ServerRedrive;
        }

        if (reader.Section(nameof(options.Observability)) is { } observability)
        {
            options.Observability.LogProfiles = observability.Flag(nameof(AwsObservability.LogProfiles)) ?? options.Observability.LogProfiles;
            options.Observability.ProbeTimeout = observability.Duration(nameof(AwsObservability.ProbeTimeout)) ?? options.Observability.ProbeTimeout;
        }

        reader.ThrowIfInvalid();
    }
}
