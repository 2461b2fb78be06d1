using Postrider.Broker;
using Postrider.Client;
using Postrider.InteropTests.Harness;
using Postrider.Rpc;
using Postrider.Rpc.Nats;

namespace Postrider.InteropTests.Rpc;

/// <summary>A contract over NATS as the official client of NATS's services sees it.</summary>
public sealed class NatsServicesTests
{
    [Fact]
    public async Task The_npm_services_client_finds_a_contract_and_calls_it()
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort });
        await using var client = await NatsClient.ConnectAsync(broker.Url!);
        await using var service = await client.ServeAsync(TillContract.Serve(new Till()), [new RpcJsonCodec(TillJson.Default)]);

        var told = await ForeignProgram.RunAsync("node", Path.Combine(Tools.NodeStories, "rpc-services.mjs"), broker.Url!);

        Assert.Equal(
            """
            ping till 1.4.0
            endpoint Add till.Add q
            endpoint Take till.Take q
            endpoint Count till.Count q
            endpoint Sum till.Sum q
            answer 42
            text "a cake"
            error 422 No tea is left. Fault SoldOut {"item":"tea","left":0}
            unreadable 400 InvalidData
            """.ReplaceLineEndings("\n"),
            told);
    }
}
