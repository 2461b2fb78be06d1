using Microsoft.Extensions.Configuration;
using Postrider.Configuration;

namespace Postrider.Transport.RabbitMq;

/// <summary>Reads a transport's options from a configuration section.</summary>
internal static class RabbitMqSection
{
    /// <exception cref="InvalidConfigurationException">A value is wrong, or a key is unknown.</exception>
    internal static void Apply(IConfigurationSection section, RabbitMqOptions options)
    {
        options.Place = section.Path;
        var reader = new SectionReader(section);
        if (reader.IsEmptyList(nameof(options.Server)))
        {
            reader.Problem(nameof(options.Server), "is empty; it must be an address such as amqp://user:password@localhost:5672/vhost. Remove the key for the server on this machine.");
        }
        else if (reader.Text(nameof(options.Server)) is { } server)
        {
            if (Uri.TryCreate(server, UriKind.Absolute, out var address) && address is { Scheme: "amqp" or "amqps", Host.Length: > 0 })
                options.Server = address;
            else
                // The text may contain a password.
                reader.Problem(nameof(options.Server), "must be an address such as amqp://user:password@localhost:5672/vhost.");
        }

        options.ClientName = reader.Text(nameof(options.ClientName)) ?? options.ClientName;
        if (reader.Section(nameof(options.Throughput)) is { } throughput)
        {
            options.Throughput.MaxUnconfirmed = throughput.Integer(nameof(RabbitMqThroughput.MaxUnconfirmed), min: 1) ?? options.Throughput.MaxUnconfirmed;
            options.Throughput.PrefetchFactor = throughput.Integer(nameof(RabbitMqThroughput.PrefetchFactor), min: 1) ?? options.Throughput.PrefetchFactor;
        }

        if (reader.Section(nameof(options.Retry)) is { } retry)
        {
            options.Retry.SendAttempts = retry.Integer(nameof(RabbitMqRetry.SendAttempts), min: 1) ?? options.Retry.SendAttempts;
            options.Retry.MaxPause = retry.Duration(nameof(RabbitMqRetry.MaxPause)) ?? options.Retry.MaxPause;
            options.Retry.DelayQueueLife = retry.Duration(nameof(RabbitMqRetry.DelayQueueLife)) ?? options.Retry.DelayQueueLife;
        }

        if (reader.Section(nameof(options.Poison)) is { } poison)
        {
            options.Poison.MaxBodyBytes = (int)(poison.Bytes(nameof(RabbitMqPoison.MaxBodyBytes), int.MaxValue) ?? options.Poison.MaxBodyBytes);
            options.Poison.RejectUnroutable = poison.Flag(nameof(RabbitMqPoison.RejectUnroutable)) ?? options.Poison.RejectUnroutable;
        }

        if (reader.Section(nameof(options.Observability)) is { } observability)
        {
            options.Observability.LogProfiles = observability.Flag(nameof(RabbitMqObservability.LogProfiles)) ?? options.Observability.LogProfiles;
            options.Observability.ProbeTimeout = observability.Duration(nameof(RabbitMqObservability.ProbeTimeout)) ?? options.Observability.ProbeTimeout;
        }

        reader.ThrowIfInvalid();
    }
}
