using System.Text;
using System.Text.Json;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.Envelopes;
using Postrider.Transport.Nats;
using Postrider.Transports;

namespace Postrider.SystemTests.CommandLine;

/// <summary><c>postrider deadletter</c> at a broker with a listener that has given messages up.</summary>
public sealed class DeadLetterVerbTests : IAsyncLifetime
{
    private readonly string _folder = ServerProcess.NewFolder();
    private NatsBroker _broker = null!;
    private NatsClient _client = null!;
    private NatsStreamTransport _transport = null!;

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync()
    {
        _broker = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort, JetStream = new Postrider.Broker.JetStreamOptions { StoreDirectory = Path.Combine(_folder, "js") } }, Ct);
        _client = await NatsClient.ConnectAsync(_broker.Url!, ct: Ct);
        _transport = new NatsStreamTransport(_client);
        var streams = _client.CreateJetStreamContext();
        await streams.CreateStreamAsync(new StreamConfig { Name = "ORDERS", Subjects = ["orders.new"] }, Ct);
        await streams.CreateStreamAsync(new StreamConfig { Name = "DEAD", Subjects = ["orders.dead"] }, Ct);
        await using var listener = await _transport.ListenAsync(
            new DurableBinding("orders.new") { Consumer = "billing", DeadLetter = "orders.dead" },
            static (envelope, _) =>
            {
                if (envelope.Body.Span.SequenceEqual("torn"u8))
                    envelope.Delivery!.Fail(new FormatException("no message"), isUnreadable: true);
                else
                    throw new PostriderException(PostriderError.Refused, "no such article");
                return default;
            },
            Ct);
        // One after the other: the listener handles several at a time, and the tests name dead letters by their place.
        var given = 0UL;
        foreach (var body in (string[])["{\"id\":1}", "torn", "{\"id\":3}"])
        {
            await _transport.SendAsync(new Envelope { Destination = "orders.new", Body = Encoding.UTF8.GetBytes(body), Headers = new Headers { { "Colour", "blue" } } }, Ct);
            given++;
            await Eventually.HoldsAsync(async () => (await streams.GetStreamAsync("DEAD", ct: Ct)).Info.State.Messages == given);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _broker.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public async Task List_shows_them_as_a_table_and_as_json_by_filter_and_page()
    {
        var (code, table, _) = await RunAsync("ls", "orders.dead");
        var lines = (await RunAsync("ls", "orders.dead", "--reason", "final", "--json")).Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        var page = (await RunAsync("ls", "orders.dead", "--after", "1", "--max", "1", "--json")).Output;

        Assert.Equal(0, code);
        Assert.Equal(4, table.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
        Assert.Contains("Unreadable", table, StringComparison.Ordinal);
        Assert.Equal(2, lines.Length);
        using var json = JsonDocument.Parse(lines[0]);
        Assert.Equal(("1", "Final", "orders.new", "no such article"), (Text(json, "id"), Text(json, "reason"), Text(json, "origin"), Text(json, "error")));
        Assert.Equal("blue", json.RootElement.GetProperty("headers").GetProperty("Colour")[0].GetString());
        using var second = JsonDocument.Parse(page);
        Assert.Equal(("2", "torn"), (Text(second, "id"), Text(second, "data")));
    }

    [Theory]
    [InlineData("show", "77")]
    [InlineData("redrive", "--id", "77")]
    [InlineData("purge", "--id", "77", "--force")]
    public async Task Id_that_no_dead_letter_has_ends_with_1(string verb, params string[] args)
    {
        var (code, output, errors) = await RunAsync([verb, "orders.dead", .. args]);

        Assert.Equal((1, ""), (code, output));
        Assert.Contains("There is no dead letter '77' at orders.dead.", errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Ordinary_messages_are_neither_listed_nor_removed()
    {
        await _client.CreateJetStreamContext().PublishAsync("orders.dead", "an order"u8.ToArray(), ct: Ct);

        var ordinary = (await RunAsync("ls", "orders.new", "--json")).Output;
        var one = await RunAsync("purge", "orders.dead", "--id", "4", "--force");
        var all = await RunAsync("purge", "orders.dead", "--all", "--force");

        Assert.Equal("", ordinary);
        Assert.Equal((1, ""), (one.Code, one.Output));
        Assert.Equal((0, "Removed 3 messages"), (all.Code, all.Output));
        Assert.Equal(1UL, (await _client.CreateJetStreamContext().GetStreamAsync("DEAD", ct: Ct)).Info.State.Messages);
    }

    [Fact]
    public async Task Show_prints_headers_and_body_or_only_the_body()
    {
        var (code, readable, _) = await RunAsync("show", "orders.dead", "3");
        var raw = (await RunAsync("show", "orders.dead", "3", "--raw")).Output;

        Assert.Equal(0, code);
        Assert.Contains("Colour: blue", readable, StringComparison.Ordinal);
        Assert.Contains("Postrider-Error: no such article", readable, StringComparison.Ordinal);
        Assert.Equal("{\"id\":3}", raw.TrimEnd());
    }

    [Fact]
    public async Task Redrive_sends_the_chosen_ones_back_and_purge_removes_the_rest()
    {
        var one = await RunAsync("redrive", "orders.dead", "--id", "3");
        var reason = await RunAsync("redrive", "orders.dead", "--reason", "final", "--pace", "10ms", "--json");
        var orders = (await _client.CreateJetStreamContext().GetStreamAsync("ORDERS", ct: Ct)).Info.State.Messages;
        var purged = await RunAsync("purge", "orders.dead", "--all", "--force");
        var left = await RunAsync("ls", "orders.dead");

        Assert.Equal((0, "Sent back 1 message"), (one.Code, one.Output.TrimEnd()));
        Assert.Equal("{\"redriven\":1}", reason.Output.TrimEnd());
        Assert.Equal(5UL, orders);
        Assert.Equal("Removed 1 message", purged.Output.TrimEnd());
        Assert.Equal((0, "", "No dead letters at orders.dead."), (left.Code, left.Output.TrimEnd(), left.Errors.TrimEnd()));
    }

    [Theory]
    [InlineData("Select the dead letters: use --id, --reason, --origin or --all.", "redrive orders.dead")]
    [InlineData("Select the dead letters: use --id, --reason, --origin or --all.", "purge orders.dead")]
    [InlineData("There is no terminal to confirm on: use --force to remove dead letters of orders.dead.", "purge orders.dead --all")]
    [InlineData("No stream has the subject 'nowhere'.", "ls nowhere")]
    [InlineData("There is no dead letter '99' at orders.dead.", "show orders.dead 99")]
    [InlineData("Dead letter 'x' is not a sequence of a stream.", "show orders.dead x")]
    [InlineData("'tired' is not a valid value of --reason. Values: unreadable, final, exhausted, unanswered, expired, sagaNotFound, bodyMissing, behindDeadLetter.", "ls orders.dead --reason tired")]
    [InlineData("'orders.>' is not the subject of a binding's dead letters, which has no wildcards. Name one;", "ls orders.>")]
    [InlineData("--max must be at least 1.", "ls orders.dead --max 0")]
    public async Task Bad_input_is_named(string why, string line)
    {
        var (code, output, errors) = await RunAsync(line.Split(' '));

        Assert.Equal((1, ""), (code, output));
        Assert.Contains(why, errors, StringComparison.Ordinal);
    }

    private static string? Text(JsonDocument json, string name) => json.RootElement.GetProperty(name).GetString();

    private async Task<(int Code, string Output, string Errors)> RunAsync(params string[] args)
    {
        using var verb = ServerProcess.Start("postrider", ServerProcess.NewFolder(), ["deadletter", .. args, "--server", _broker.Url!]);
        return (await verb.ExitAsync(), verb.Output, verb.Errors);
    }
}
