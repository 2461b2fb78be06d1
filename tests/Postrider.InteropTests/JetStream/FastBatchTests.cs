using System.Text.Json.Nodes;
using Postrider.Client;
using Postrider.InteropTests.Client;
using Postrider.InteropTests.Client.JetStream;

namespace Postrider.InteropTests.JetStream;

/// <summary>The one field of a stream that Go's server honours and ours does not: it is refused, never ignored.</summary>
public sealed class FastBatchTests(GoJetStreamFixture go, BrokerJetStreamFixture broker) : IClassFixture<GoJetStreamFixture>, IClassFixture<BrokerJetStreamFixture>
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task Fast_batches_are_of_Go_alone()
    {
        var theirs = await CreateAsync(go);
        var ours = await CreateAsync(broker);

        Assert.True((bool)theirs["config"]!["allow_batched"]!);
        Assert.Equal((10052, "allow_batched is not supported"), ((int)ours["error"]!["err_code"]!, (string)ours["error"]!["description"]!));
    }

    private static async Task<JsonNode> CreateAsync(IServerFixture server)
    {
        await using var client = await server.ConnectAsync();
        var answer = await client.RequestAsync<string, string>("$JS.API.STREAM.CREATE.FAST", """{"name":"FAST","subjects":["fast"],"allow_batched":true}""", Patience);
        return JsonNode.Parse(answer.Data)!;
    }
}
