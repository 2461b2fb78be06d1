using System.Text;
using System.Text.Json;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.Services;
using Postrider.Envelopes;
using Postrider.Transport.Nats;
using Postrider.Transports;

namespace Postrider.TransportTests;

/// <summary>The dead letters of any transport, by requests of NATS with JSON.</summary>
public sealed class DeadLetterServiceTests : IAsyncLifetime
{
    private readonly InMemoryTransport _transport = new();
    private NatsBroker _broker = null!;
    private NatsClient _client = null!;
    private NatsService _service = null!;

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync()
    {
        _broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false }, Ct);
        _client = await NatsClient.ConnectAsync(new ClientOptions { Connector = _broker.Connector }, Ct);
        _service = _client.AddDeadLetterService(new Dictionary<string, ITransport>(StringComparer.Ordinal) { ["parcels"] = _transport });
        await _client.FlushAsync(Ct);
        await using var listener = await _transport.ListenAsync(new AtLeastOnceBinding("orders") { DeadLetter = "dead" }, static (_, _) => throw new PostriderException(PostriderError.Refused, "no"), Ct);
        foreach (var body in (byte[][])["one"u8.ToArray(), [0xFF, 0x00], "three"u8.ToArray()])
            await _transport.SendAsync(new Envelope { Destination = "orders", Body = body, Headers = new Headers { { "Tag", "a" }, { "Tag", "b" } } }, Ct);
    }

    public async ValueTask DisposeAsync()
    {
        await _service.DisposeAsync();
        await _client.DisposeAsync();
        await _broker.DisposeAsync();
        await _transport.DisposeAsync();
    }

    [Fact]
    public async Task List_gives_pages_without_bodies_and_show_gives_the_body()
    {
        using var first = await AskAsync("list", """{"transport":"parcels","source":"dead","max":2}""");
        var next = first.RootElement.GetProperty("next").GetString();
        using var second = await AskAsync("list", $$"""{"transport":"parcels","source":"dead","max":2,"after":"{{next}}"}""");
        using var text = await AskAsync("show", """{"transport":"parcels","source":"dead","id":"1"}""");
        using var bytes = await AskAsync("show", """{"transport":"parcels","source":"dead","id":"2"}""");

        var letters = first.RootElement.GetProperty("letters");
        Assert.Equal((2, "Final", "orders", "no", 3), (letters.GetArrayLength(), letters[0].GetProperty("reason").GetString(), letters[0].GetProperty("origin").GetString(), letters[0].GetProperty("error").GetString(), letters[0].GetProperty("size").GetInt32()));
        Assert.Equal(["a", "b"], letters[0].GetProperty("headers").GetProperty("Tag").EnumerateArray().Select(static tag => tag.GetString()));
        Assert.False(letters[0].TryGetProperty("data", out _));
        Assert.Equal("3", Assert.Single(second.RootElement.GetProperty("letters").EnumerateArray()).GetProperty("id").GetString());
        Assert.False(second.RootElement.TryGetProperty("next", out _));
        Assert.Equal(("one", "/wA="), (text.RootElement.GetProperty("data").GetString(), bytes.RootElement.GetProperty("data_base64").GetString()));
    }

    [Fact]
    public async Task Redrive_and_purge_say_how_many()
    {
        await using var listener = await _transport.ListenAsync(new AtLeastOnceBinding("orders"), static (_, _) => default, Ct);

        using var redriven = await AskAsync("redrive", """{"transport":"parcels","source":"dead","id":"2"}""");
        using var purged = await AskAsync("purge", """{"transport":"parcels","source":"dead","reason":"final"}""");
        using var none = await AskAsync("purge", """{"transport":"parcels","source":"dead","all":true}""");

        Assert.Equal((1, 2, 0), (Count(redriven), Count(purged), Count(none)));
    }

    [Theory]
    [InlineData("list", "{", 400, "The request is not valid")]
    [InlineData("list", "null", 400, "The request is null")]
    [InlineData("list", """{"transport":"letters","source":"dead"}""", 404, "There is no transport 'letters'. Transports: parcels.")]
    [InlineData("list", """{"transport":"parcels"}""", 400, "has no 'source'")]
    [InlineData("list", """{"transport":"parcels","source":"dead","max":0}""", 400, "must be from 1 to 1000")]
    [InlineData("list", """{"transport":"parcels","source":"dead","reason":"7"}""", 400, "'7' is not a reason. Reasons: Unreadable")]
    [InlineData("list", """{"transport":"parcels","source":"dead","reason":""}""", 400, "'' is not a reason. Reasons: Unreadable")]
    [InlineData("list", """{"transport":"parcels","source":"dead","colour":"blue"}""", 400, "colour")]
    [InlineData("show", """{"transport":"parcels","source":"dead"}""", 400, "has no 'id'")]
    [InlineData("show", """{"transport":"parcels","source":"dead","id":"99"}""", 404, "There is no dead letter '99' at 'dead'.")]
    [InlineData("redrive", """{"transport":"parcels","source":"dead","id":"1"}""", 404, "There is no listener at 'orders'")]
    [InlineData("redrive", """{"transport":"parcels","source":"dead","all":true,"pace_ms":-1}""", 400, "'pace_ms' is -1")]
    [InlineData("purge", """{"transport":"parcels","source":"dead"}""", 400, "The request selects nothing")]
    public async Task Request_that_is_wrong_is_answered_with_what_is_right(string endpoint, string request, int code, string words)
    {
        var refused = await Assert.ThrowsAsync<NatsServiceException>(() => AskAsync(endpoint, request));

        Assert.Equal(code, refused.ServiceCode);
        Assert.Contains(words, refused.Message, StringComparison.Ordinal);
    }

    private static long Count(JsonDocument reply) => reply.RootElement.GetProperty("count").GetInt64();

    private async Task<JsonDocument> AskAsync(string endpoint, string request)
    {
        var reply = await _client.RequestAsync<byte[], byte[]>($"postrider.deadletters.{endpoint}", Encoding.UTF8.GetBytes(request), ct: Ct);
        return JsonDocument.Parse(reply.OrThrow().Data);
    }
}
