using System.Text.Json;
using System.Text.Json.Nodes;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Monitoring;
using Postrider.Storage.Faults;

namespace Postrider.Broker.JetStream.Monitoring;

/// <summary>Describes accounts, streams and consumers for <c>/jsz</c>, with nats-server's member names.</summary>
internal static class JetStreamDetails
{
    private const int DefaultLimit = 1024;

    /// <summary>Describes the requested parts, by name.</summary>
    /// <returns>Null when nothing was requested, or nothing of it exists.</returns>
    public static JsonArray? Read(JetStreamEngine engine, JszQuery query)
    {
        // An existing account that is named replaces the list; one that does not exist leaves the list, if that was requested too.
        var accounts = engine.Accounts.Where(account => account.Account.Name == query.Account).ToArray();
        if (accounts.Length == 0 && query.WantsAccounts)
        {
            IEnumerable<JetStreamAccount> all = engine.Accounts.OrderBy(static account => account.Account.Name, StringComparer.Ordinal);
            accounts = [.. query.Limit < 0 ? all : all.Skip(Math.Max(query.Offset, 0)).Take(query.Limit == 0 ? DefaultLimit : query.Limit)];
        }
        return accounts.Length == 0 ? null : new JsonArray([.. accounts.Select(account => Describe(account, query))]);
    }

    private static JsonObject Describe(JetStreamAccount account, JszQuery query)
    {
        var described = new JsonObject
        {
            ["name"] = account.Account.NameTag,
            ["id"] = account.Account.Name,
            ["memory"] = account.Services.Storage.MemoryBytes,
            ["storage"] = account.Services.Storage.StoreBytes,
            ["reserved_memory"] = account.ReservedBytes(StreamStorage.Memory),
            ["reserved_storage"] = account.ReservedBytes(StreamStorage.File),
            ["accounts"] = 0,
            ["ha_assets"] = 0,
            ["api"] = new JsonObject { ["level"] = ApiLevel.Current, ["total"] = account.ApiTotal, ["errors"] = account.ApiErrorTotal },
        };
        if (query.WantsStreams && account.Streams.Count > 0)
            described["stream_detail"] = new JsonArray([.. account.Streams.OrderBy(static stream => stream.Name, StringComparer.Ordinal).Select(stream => Describe(stream, query))]);
        return described;
    }

    private static JsonObject Describe(MessageStream stream, JszQuery query)
    {
        var info = StreamInfoMapper.Read(stream);
        var described = new JsonObject { ["name"] = stream.Name, ["created"] = Rfc3339.Format(Clock.Of(stream.Created)) };
        described["cluster"] = JsonSerializer.SerializeToNode(new ClusterInfo { Leader = stream.Services.ServerName }, StreamJson.Default.ClusterInfo);
        if (query.Configurations) described["config"] = JsonSerializer.SerializeToNode(stream.Config, StreamJson.Default.StreamConfig);
        described["state"] = JsonSerializer.SerializeToNode(info.State, StreamJson.Default.StreamState);
        string? fault;
        using (stream.Gate.Hold())
        {
            fault = stream.Store.Fault is { Kind: not StoreFaultKind.Closed } found ? found.Message : null;
            if (query.Consumers && stream.Account.Engine.Consumers is { } consumers)
            {
                Add(described, "consumer_detail", consumers.Describe(stream, direct: false, query.Configurations));
                if (query.DirectConsumers) Add(described, "direct_consumer_detail", consumers.Describe(stream, direct: true, query.Configurations));
            }
        }
        if (info.Mirror is { } mirror) described["mirror"] = JsonSerializer.SerializeToNode(mirror, StreamJson.Default.StreamSourceInfo);
        if (info.Sources is { Count: > 0 } sources)
            described["sources"] = new JsonArray([.. sources.Select(static source => JsonSerializer.SerializeToNode(source, StreamJson.Default.StreamSourceInfo))]);

        // Not in nats-server: why the stream accepts no messages.
        if (fault is not null) described["read_only"] = fault;
        return described;
    }

    private static void Add(JsonObject described, string name, JsonArray consumers)
    {
        if (consumers.Count > 0) described[name] = consumers;
    }
}
