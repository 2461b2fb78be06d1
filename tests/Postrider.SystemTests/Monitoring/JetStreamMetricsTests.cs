using System.Globalization;
using Postrider.Broker;
using Postrider.Broker.Http;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;

namespace Postrider.SystemTests.Monitoring;

/// <summary>What /metrics says of streams.</summary>
public sealed class JetStreamMetricsTests
{
    private const int Messages = 200;
    private const int PayloadBytes = 512 * 1024;
    private const long Budget = 1024 * 1024;

    [Fact]
    public async Task Index_memory_is_shown_beside_its_budget()
    {
        var folder = Directory.CreateTempSubdirectory("postrider-metrics-");
        var monitoring = new HttpMonitoring();
        var options = new BrokerOptions
        {
            Listen = false,
            JetStream = new Postrider.Broker.JetStreamOptions { StoreDirectory = folder.FullName, IndexCacheBytes = Budget },
        };
        options.Monitoring.Port = BrokerOptions.RandomPort;
        options.Monitoring.Host = "127.0.0.1";
        await using (var broker = await NatsBroker.StartAsync(options, [monitoring]))
        {
            using var http = new HttpClient { BaseAddress = new Uri($"http://{monitoring.EndPoint}") };
            await using var client = await NatsClient.ConnectAsync(new ClientOptions { Connector = broker.Connector });
            var stream = await client.CreateJetStreamContext().CreateStreamAsync(new StreamConfig { Name = "LARGE", Subjects = ["large"] });
            await using (var publisher = client.CreateJetStreamContext().CreatePublisher())
            {
                for (var i = 0; i < Messages; i++) await publisher.PostAsync("large", new byte[PayloadBytes]);
                await publisher.FlushAsync();
            }

            Assert.NotNull(await stream.GetMessageAsync<byte[]>(1));
            var asked = await ReadAsync(http);

            Assert.Equal((1, Messages), (asked["postrider_jetstream_streams"], asked["postrider_jetstream_messages"]));
            Assert.Equal(Budget, asked["postrider_jetstream_index_bytes_max"]);
            Assert.InRange(asked["postrider_jetstream_index_bytes"], 1, Budget);
        }
        folder.Delete(recursive: true);
    }

    private static async Task<Dictionary<string, double>> ReadAsync(HttpClient http)
        => (await http.GetStringAsync("/metrics")).Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Where(static line => line[0] != '#' && !line.Contains('{', StringComparison.Ordinal))
            .ToDictionary(static line => line.Split(' ')[0], static line => double.Parse(line.Split(' ')[1], CultureInfo.InvariantCulture));
}
