using System.Text.Json;
using Postrider.Broker;
using Postrider.Broker.Http;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.InteropTests.Client;

namespace Postrider.InteropTests.Monitoring;

/// <summary>The page <c>/jsz</c> beside that of Go's nats-server, with the same streams on both.</summary>
public sealed class StreamPagesTests : IAsyncLifetime
{
    private readonly string _folder = Directory.CreateTempSubdirectory("postrider-jsz-").FullName;
    private readonly HttpClient _http = new();
    private readonly HttpMonitoring _monitoring = new();
    private GoServer _go = null!;
    private NatsBroker _broker = null!;

    public async ValueTask InitializeAsync()
    {
        _go = await GoServer.StartAsync($"http: \"127.0.0.1:-1\"\njetstream {{ store_dir: \"{_folder}/go\" }}");
        _broker = await NatsBroker.StartAsync(
            new BrokerOptions
            {
                Port = BrokerOptions.RandomPort,
                Monitoring = new() { Host = "127.0.0.1", Port = BrokerOptions.RandomPort },
                JetStream = new Postrider.Broker.JetStreamOptions { Enabled = true, StoreDirectory = $"{_folder}/ours" },
            },
            [_monitoring]);
        foreach (var url in (string[])[_go.Url, _broker.Url!]) await FillAsync(url);
    }

    public async ValueTask DisposeAsync()
    {
        await _broker.DisposeAsync();
        await _go.DisposeAsync();
        _http.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Theory]
    [InlineData("/jsz")]
    [InlineData("/jsz?accounts=true")]
    [InlineData("/jsz?streams=true")]
    [InlineData("/jsz?consumers=true")]
    [InlineData("/jsz?consumers=true&config=true")]
    [InlineData("/jsz?acc=$G&streams=true&config=1&limit=1")]
    [InlineData("/jsz?streams=true&offset=7")]
    [InlineData("/jsz?acc=NOBODY&streams=true")]
    [InlineData("/jsz?acc=NOBODY&accounts=true&consumers=1&raft=1")]
    [InlineData("/jsz?accounts=1&limit=-1&direct-consumers=1&leader-only=1&stream-leader-only=1")]
    public async Task Page_has_the_names_and_numbers_of_Gos(string page)
    {
        var go = Describe(await ReadAsync($"http://127.0.0.1:{_go.MonitoringPort}{page}"));
        var own = Describe(await ReadAsync($"http://{_monitoring.EndPoint}{page}"));

        Assert.Equal(go, own);
    }

    private static async Task FillAsync(string url)
    {
        using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(60));
        var ct = patience.Token;
        await using var client = await NatsClient.ConnectAsync(url);
        var context = client.CreateJetStreamContext();
        foreach (var (name, storage) in ((string, StreamStorage)[])[("ONE", StreamStorage.File), ("TWO", StreamStorage.Memory)])
        {
            var stream = await context.CreateStreamAsync(new StreamConfig { Name = name, Subjects = [$"{name}.>"], Storage = storage }, ct);
            for (var i = 0; i < 5; i++) await context.PublishAsync($"{name}.{i}", "payload", ct: ct);
            await stream.DeleteMessageAsync(3, ct: ct);
            var consumer = await stream.CreateConsumerAsync(new ConsumerConfig { DurableName = "work", FilterSubject = $"{name}.>" }, ct);
            await (await consumer.NextAsync<string>(ct: ct))!.Value.AckAndConfirmAsync(ct: ct);
        }
    }

    private async Task<JsonElement> ReadAsync(string url) => JsonDocument.Parse(await _http.GetStringAsync(new Uri(url))).RootElement;

    // Names in their order, and the values that the same streams make the same.
    private static List<string> Describe(JsonElement page)
    {
        var lines = new List<string>();
        Describe(page, "", lines);
        return lines;
    }

    private static void Describe(JsonElement element, string path, List<string> lines)
    {
        if (path is "/config" or "/limits")
        {
            // The server's own settings are PagesTests' matter.
            return;
        }
        switch (element.ValueKind)
        {
            case JsonValueKind.Object:
                foreach (var member in element.EnumerateObject()) Describe(member.Value, $"{path}/{member.Name}", lines);
                break;
            case JsonValueKind.Array:
                // Go's server lists streams as they come.
                foreach (var item in element.EnumerateArray().OrderBy(NameOf, StringComparer.Ordinal)) Describe(item, $"{path}[]", lines);
                break;
            case JsonValueKind.Number when !path.Contains("/api/", StringComparison.Ordinal) && !path.Contains("reserved", StringComparison.Ordinal):
                lines.Add($"{path} {element}");
                break;
            case JsonValueKind.Number:
                lines.Add($"{path} Number");
                break;
            default:
                lines.Add($"{path} {element.ValueKind}");
                break;
        }
    }
    private static string NameOf(JsonElement item)
        => item.ValueKind == JsonValueKind.Object && item.TryGetProperty("name", out var name) ? name.GetString()! : "";
}
