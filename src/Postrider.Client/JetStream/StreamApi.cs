using System.Runtime.CompilerServices;
using Postrider.Client.JetStream.Api;
using Postrider.Client.JetStream.Models;

namespace Postrider.Client.JetStream;

/// <summary>The operations on streams.</summary>
internal static class StreamApi
{
    // Maximum number of subjects in one response of the server; the rest comes with the next offset.
    private const int SubjectsPerPage = 100_000;

    public static Task<StreamInfo> CreateAsync(ApiClient api, StreamConfig config, CancellationToken ct)
        => api.CallAsync(Operation("CREATE", config.Name), config, JetStreamJson.Default.StreamConfig, JetStreamJson.Default.StreamInfo, ct);

    public static Task<StreamInfo> UpdateAsync(ApiClient api, StreamConfig config, CancellationToken ct)
        => api.CallAsync(Operation("UPDATE", config.Name), config, JetStreamJson.Default.StreamConfig, JetStreamJson.Default.StreamInfo, ct);

    public static async Task<StreamInfo> GetAsync(ApiClient api, string name, StreamDetails? details, CancellationToken ct)
    {
        var operation = Operation("INFO", name);
        if (details is null) return await api.CallAsync(operation, JetStreamJson.Default.StreamInfo, ct).ConfigureAwait(false);
        var info = await PageAsync(0).ConfigureAwait(false);
        if (info.State.Subjects is not { Count: >= SubjectsPerPage } first) return info;
        var subjects = new Dictionary<string, ulong>(first, StringComparer.Ordinal);
        while (subjects.Count < info.State.SubjectCount)
        {
            var page = await PageAsync(subjects.Count).ConfigureAwait(false);
            if (page.State.Subjects is not { Count: > 0 } more) break;
            foreach (var (subject, count) in more) subjects[subject] = count;
        }
        return info with { State = info.State with { Subjects = subjects } };

        Task<StreamInfo> PageAsync(int offset)
            => api.CallAsync(operation, details with { Offset = offset }, JetStreamJson.Default.StreamDetails, JetStreamJson.Default.StreamInfo, ct);
    }

    public static Task DeleteAsync(ApiClient api, string name, CancellationToken ct)
        => api.CallAsync(Operation("DELETE", name), JetStreamJson.Default.SuccessReply, ct);

    public static async Task<ulong> PurgeAsync(ApiClient api, string name, StreamPurge? purge, CancellationToken ct)
        => (await api.CallAsync(Operation("PURGE", name), purge ?? new StreamPurge(), JetStreamJson.Default.StreamPurge, JetStreamJson.Default.SuccessReply, ct).ConfigureAwait(false)).Purged;

    public static async IAsyncEnumerable<StreamInfo> ListAsync(ApiClient api, string? subject, [EnumeratorCancellation] CancellationToken ct)
    {
        for (var offset = 0; ;)
        {
            var page = await api.CallAsync("STREAM.LIST", new ListRequest { Offset = offset, Subject = subject }, JetStreamJson.Default.ListRequest, JetStreamJson.Default.StreamListReply, ct).ConfigureAwait(false);
            foreach (var stream in page.Streams ?? []) yield return stream;
            offset += page.Streams?.Count ?? 0;
            if (page.Streams is not { Count: > 0 } || offset >= page.Total) yield break;
        }
    }

    public static async IAsyncEnumerable<string> ListNamesAsync(ApiClient api, string? subject, [EnumeratorCancellation] CancellationToken ct)
    {
        for (var offset = 0; ;)
        {
            var page = await api.CallAsync("STREAM.NAMES", new ListRequest { Offset = offset, Subject = subject }, JetStreamJson.Default.ListRequest, JetStreamJson.Default.StreamNamesReply, ct).ConfigureAwait(false);
            foreach (var stream in page.Streams ?? []) yield return stream;
            offset += page.Streams?.Count ?? 0;
            if (page.Streams is not { Count: > 0 } || offset >= page.Total) yield break;
        }
    }

    public static async IAsyncEnumerable<ConsumerInfo> ListConsumersAsync(ApiClient api, string stream, [EnumeratorCancellation] CancellationToken ct)
    {
        for (var offset = 0; ;)
        {
            var page = await api.CallAsync($"CONSUMER.LIST.{stream}", new ListRequest { Offset = offset }, JetStreamJson.Default.ListRequest, JetStreamJson.Default.ConsumerListReply, ct).ConfigureAwait(false);
            foreach (var consumer in page.Consumers ?? []) yield return consumer;
            offset += page.Consumers?.Count ?? 0;
            if (page.Consumers is not { Count: > 0 } || offset >= page.Total) yield break;
        }
    }

    public static async IAsyncEnumerable<string> ListConsumerNamesAsync(ApiClient api, string stream, [EnumeratorCancellation] CancellationToken ct)
    {
        for (var offset = 0; ;)
        {
            var page = await api.CallAsync($"CONSUMER.NAMES.{stream}", new ListRequest { Offset = offset }, JetStreamJson.Default.ListRequest, JetStreamJson.Default.ConsumerNamesReply, ct).ConfigureAwait(false);
            foreach (var consumer in page.Consumers ?? []) yield return consumer;
            offset += page.Consumers?.Count ?? 0;
            if (page.Consumers is not { Count: > 0 } || offset >= page.Total) yield break;
        }
    }

    private static string Operation(string verb, string name)
    {
        ApiClient.CheckName("Stream", name);
        return $"STREAM.{verb}.{name}";
    }
}
