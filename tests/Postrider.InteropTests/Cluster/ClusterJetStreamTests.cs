using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.InteropTests.Client.JetStream;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Cluster;

/// <summary>Streams of three of Go's servers, used by clients of a fourth server that has none: Go's is the yardstick.</summary>
public sealed class ClusterJetStreamTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(90);

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;

    [Theory]
    [InlineData(ServerKind.Go)]
    [InlineData(ServerKind.Postrider)]
    public async Task Client_of_a_server_without_streams_manages_and_reads_those_of_the_cluster(ServerKind kind)
    {
        await using var cluster = await GoCluster.StartAsync();
        await using var server = await ClusterMesh.StartServerAsync(kind, "outside", cluster: $"routes [ \"{cluster.RouteUrl}\" ]", clusterName: GoCluster.Name);
        await ClusterMesh.AwaitPeersAsync(server, 3);
        await using var client = await NatsClient.ConnectAsync(server.Url, ct: _ct);
        var streams = client.CreateJetStreamContext();
        JetStreamStream? stream = null;
        await Eventually.HoldsAsync(
            async () =>
            {
                try
                {
                    stream = await streams.CreateStreamAsync(new StreamConfig { Name = "ORDERS", Subjects = ["orders.>"], Replicas = 3 }, _ct);
                    return true;
                }
                catch (Exception error) when (error is NatsClientException or TimeoutException)
                {
                    // The servers have no leader yet.
                    return false;
                }
            },
            Limit);

        for (var i = 1; i <= 50; i++) Assert.Equal((ulong)i, (await streams.PublishAsync("orders.new", $"{i}", ct: _ct)).Sequence);

        var consumer = await stream!.CreateConsumerAsync(new ConsumerConfig { DurableName = "reader", AckPolicy = AckPolicy.Explicit }, _ct);
        var taken = new List<string>();
        await foreach (var message in consumer.FetchAsync<string>(50, ct: _ct))
        {
            taken.Add(message.Data!);
            await message.AckAsync(ct: _ct);
        }
        Assert.Equal(Enumerable.Range(1, 50).Select(static i => $"{i}"), taken);
        await Eventually.HoldsAsync(async () => (await stream!.RefreshAsync(ct: _ct)).State.Messages == 50);
        Assert.Equal("7", (await stream!.GetMessageAsync<string>(7, ct: _ct))!.Data);
        Assert.Equal(["ORDERS"], await NamesAsync(streams));
        await streams.DeleteStreamAsync("ORDERS", _ct);
        Assert.Empty(await NamesAsync(streams));
    }

    private async Task<List<string>> NamesAsync(JetStreamContext streams)
    {
        var names = new List<string>();
        await foreach (var name in streams.ListStreamNamesAsync(ct: _ct)) names.Add(name);
        return names;
    }
}
