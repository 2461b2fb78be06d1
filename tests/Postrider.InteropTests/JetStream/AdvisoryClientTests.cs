using System.Text.Json.Nodes;
using Postrider.Client;
using Postrider.InteropTests.Client;
using Postrider.InteropTests.Client.JetStream;

namespace Postrider.InteropTests.JetStream;

/// <summary>Who asked, as the audit of requests tells it: the same of both servers.</summary>
public sealed class AdvisoryClientTests(GoJetStreamFixture go, BrokerJetStreamFixture broker) : IClassFixture<GoJetStreamFixture>, IClassFixture<BrokerJetStreamFixture>
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    // What every connection has its own of; the round trip is there once it was measured.
    private static readonly string[] Own = ["start", "id", "rtt", "server"];

    [Fact]
    public async Task Audit_tells_the_same_of_a_client()
    {
        var expected = await AuditAsync(go);
        var actual = await AuditAsync(broker);

        Assert.Equal(expected.ToJsonString(), actual.ToJsonString());
        Assert.Equal("auditor", (string?)actual["name"]);
    }

    private static async Task<JsonObject> AuditAsync(IServerFixture server)
    {
        using var patience = new CancellationTokenSource(Patience);
        await using var client = await server.ConnectAsync(static options => options.Name = "auditor");
        await using var audit = client.Subscribe<string>("$JS.EVENT.ADVISORY.API");
        await client.PingAsync(patience.Token);
        await client.RequestAsync<string, string>("$JS.API.STREAM.INFO.NONE", "", Patience);
        var told = JsonNode.Parse((await audit.ReadAsync(patience.Token)).Data)!["client"]!.AsObject();
        Assert.True(DateTimeOffset.TryParse((string?)told["start"], System.Globalization.CultureInfo.InvariantCulture, out var start) && start > DateTimeOffset.UnixEpoch);
        Assert.True((ulong)told["id"]! > 0);
        Assert.NotEqual("", (string?)told["server"]);
        foreach (var name in Own) told.Remove(name);
        return new JsonObject(told.OrderBy(static member => member.Key, StringComparer.Ordinal).Select(static member => KeyValuePair.Create(member.Key, member.Value?.DeepClone())));
    }
}
