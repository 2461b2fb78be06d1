using Postrider.Client.JetStream.Api;
using Postrider.Client.JetStream.Models;

namespace Postrider.Client.JetStream.Consuming;

/// <summary>The operations on consumers.</summary>
internal static class ConsumerApi
{
    public const string Create = "create";
    public const string Update = "update";

    /// <summary>Creates or updates a consumer.</summary>
    /// <param name="api">The API.</param>
    /// <param name="stream">Its stream.</param>
    /// <param name="config">The configuration; if it has no name, one is generated.</param>
    /// <param name="action"><see cref="Create"/>, <see cref="Update"/>, or null for either.</param>
    /// <param name="ct">Cancels the operation.</param>
    public static Task<ConsumerInfo> CreateAsync(ApiClient api, string stream, ConsumerConfig config, string? action, CancellationToken ct)
    {
        ApiClient.CheckName("Stream", stream);
        var name = config.Name ?? config.DurableName ?? api.Session.Nuid.Next();
        ApiClient.CheckName("Consumer", name);
        if (config.DurableName is not null && config.DurableName != name)
            throw new NatsClientException(NatsErrorCode.InvalidOption, $"ConsumerConfig.Name '{config.Name}' and DurableName '{config.DurableName}' differ.");
        var operation = $"CONSUMER.CREATE.{stream}.{name}";
        // A single filter is part of the subject, so that permissions can depend on it.
        if (!string.IsNullOrEmpty(config.FilterSubject) && config.FilterSubjects is not { Count: > 0 }) operation = $"{operation}.{config.FilterSubject}";
        var request = new ConsumerCreateRequest { StreamName = stream, Config = config with { Name = name }, Action = action };
        return api.CallAsync(operation, request, JetStreamJson.Default.ConsumerCreateRequest, JetStreamJson.Default.ConsumerInfo, ct);
    }

    public static Task<ConsumerInfo> GetAsync(ApiClient api, string stream, string consumer, CancellationToken ct)
    {
        ApiClient.CheckName("Stream", stream);
        ApiClient.CheckName("Consumer", consumer);
        return api.CallAsync($"CONSUMER.INFO.{stream}.{consumer}", JetStreamJson.Default.ConsumerInfo, ct);
    }

    public static Task DeleteAsync(ApiClient api, string stream, string consumer, CancellationToken ct)
    {
        ApiClient.CheckName("Stream", stream);
        ApiClient.CheckName("Consumer", consumer);
        return api.CallAsync($"CONSUMER.DELETE.{stream}.{consumer}", JetStreamJson.Default.SuccessReply, ct);
    }
}
