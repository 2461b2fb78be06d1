using System.Globalization;
using System.Text.Json.Nodes;
using Postrider.Broker.JetStream.Sourcing;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Routing;
using Postrider.UnitTests.Broker.JetStream.Streams;

namespace Postrider.UnitTests.Broker.JetStream.Sourcing;

/// <summary>A follower and an origin whose server says what the test says.</summary>
public sealed class RemoteSourceTests : IDisposable
{
    private const string Mirror = """{"name":"X","mirror":{"name":"O","external":{"api":"p.api","deliver":"p.to"}}}""";
    private const string Source = """{"name":"X","sources":[{"name":"O","external":{"api":"p.api","deliver":"p.to"}}]}""";

    private readonly StreamHarness _engine = new();
    private StreamHarness.Inbox? _api;

    public void Dispose()
    {
        _api?.Dispose();
        _engine.Dispose();
    }

    [Theory]
    [InlineData("$JS.hub.API", "bTMUkJQk")]
    [InlineData("ORDERS $G", "fgBam8pM")]
    public void Hash_is_that_of_other_servers(string text, string hash) => Assert.Equal(hash, ShortHash.Of(text));

    [Theory]
    [InlineData("$JS.ACK.O.c.1.7.5.1700000000000000000.3", true)]
    [InlineData("$JS.ACK.hub.hash.O.c.1.7.5.1700000000000000000.3", true)]
    [InlineData("$JS.ACK.hub.hash.O.c.1.7.5.1700000000000000000.3.random", true)]
    [InlineData("$JS.ACK.O.other.1.7.5.1700000000000000000.3", false)]
    [InlineData("$JS.ACK.O.c.1.7.5.1700000000000000000", false)]
    [InlineData("$JS.ACK.O.c.1.7.5.x.3", false)]
    [InlineData("$JS.ACK.O.c.1.-7.5.1.3", false)]
    [InlineData("$JS.ACK.O.c.1.7.5.99999999999999999999999.3", false)]
    [InlineData("_INBOX.1", false)]
    [InlineData("$JS.ACK.", false)]
    [InlineData("", false)]
    public void Delivery_is_read_from_its_reply_subject(string replyTo, bool isRead)
    {
        Assert.Equal(isRead, SourceDelivery.TryParse(StreamHarness.Bytes(replyTo), "c", out var delivery));
        if (isRead) Assert.Equal(new SourceDelivery(7, 5, 1, 1_700_000_000_000_000_000, 3), delivery);
    }

    [Fact]
    public void Mirror_asks_for_what_it_lacks_and_stores_it_under_the_sequences_of_the_origin()
    {
        var (request, deliverTo) = Follow(Mirror);

        Assert.Equal("p.api.CONSUMER.CREATE.O", request.Subject);
        Assert.Contains("Nats-Required-Api-Level: 5\r\n", request.Headers, StringComparison.Ordinal);
        var config = JsonNode.Parse(request.Payload)!["config"]!;
        Assert.StartsWith("JS_MIRROR_", (string)config["name"]!, StringComparison.Ordinal);
        Assert.StartsWith("p.to.M.", deliverTo, StringComparison.Ordinal);
        Assert.Equal(("all", "none", true, true), ((string)config["deliver_policy"]!, (string)config["ack_policy"]!, (bool)config["direct"]!, (bool)config["sourcing"]!));

        Deliver(deliverTo, 1, 5, "one");
        Deliver(deliverTo, 2, 9, "two");

        Assert.Equal(["5 o.x one", "9 o.x two"], _engine.Contents("X"));
    }

    [Fact]
    public void Gap_between_deliveries_has_it_ask_again_behind_what_it_has()
    {
        var (_, deliverTo) = Follow(Mirror);
        Deliver(deliverTo, 1, 1, "one");
        Deliver(deliverTo, 3, 3, "three");
        Assert.Equal(["1 o.x one"], _engine.Contents("X"));

        var (again, newDeliverTo) = AskedAgain();

        Assert.NotEqual(deliverTo, newDeliverTo);
        Assert.Equal(("by_start_sequence", 2), Start(again));
        // What comes late over the old consumer is not looked at.
        Deliver(deliverTo, 2, 2, "late");
        Deliver(newDeliverTo, 1, 2, "two");
        Deliver(newDeliverTo, 2, 3, "three");
        Assert.Equal(["1 o.x one", "2 o.x two", "3 o.x three"], _engine.Contents("X"));
    }

    [Fact]
    public void Heartbeat_that_counts_more_than_came_has_it_ask_again()
    {
        var (_, deliverTo) = Follow(Source);
        Deliver(deliverTo, 1, 1, "one");
        Control(deliverTo, "Idle Heartbeat", "Nats-Last-Consumer: 1\r\n");
        Assert.Single(_api!.Messages);

        Control(deliverTo, "Idle Heartbeat", "Nats-Last-Consumer: 2\r\n");

        Assert.Equal(("by_start_sequence", 2), Start(AskedAgain().Request));
    }

    [Fact]
    public void Silence_has_it_ask_again_and_heartbeats_do_not()
    {
        var (_, deliverTo) = Follow(Mirror);
        for (var i = 0; i < 20; i++)
        {
            _engine.Time.Advance(TimeSpan.FromSeconds(1));
            Control(deliverTo, "Idle Heartbeat", "Nats-Last-Consumer: 0\r\n");
        }
        Assert.Single(_api!.Messages);

        _engine.Time.Advance(TimeSpan.FromSeconds(5));

        Assert.Equal(2, AwaitRequests(2).Count);
    }

    [Fact]
    public void Flow_control_is_answered_with_what_was_stored()
    {
        var (_, deliverTo) = Follow(Source);
        using var answers = _engine.Listen("flow.>");
        Deliver(deliverTo, 1, 4, "one");

        Control(deliverTo, "FlowControl Request", "", "flow.1");
        Control(deliverTo, "Idle Heartbeat", "Nats-Last-Consumer: 1\r\nNats-Consumer-Stalled: flow.2\r\n");

        Assert.Equal(["flow.1", "flow.2"], answers.Messages.Select(static message => message.Subject));
        Assert.Equal("NATS/1.0\r\nNats-Last-Consumer: 1\r\nNats-Last-Stream: 4\r\n\r\n", answers.Messages[0].Headers);
    }

    // The broker may delete any stream of the account; who sends a delivery may not.
    [Theory]
    [InlineData("FlowControl Request", "", "$JS.API.STREAM.DELETE.VICTIM")]
    [InlineData("Idle Heartbeat", "Nats-Last-Consumer: 0\r\nNats-Consumer-Stalled: $JS.API.STREAM.DELETE.VICTIM\r\n", "")]
    [InlineData("FlowControl Request", "", "$JS.API.STREAM.PURGE.VICTIM")]
    public void Flow_control_is_no_request_to_the_API(string text, string headers, string replyTo)
    {
        _engine.Do("STREAM.CREATE.VICTIM", """{"name":"VICTIM","subjects":["v"]}""");
        _engine.Store("v", "kept");
        var (_, deliverTo) = Follow(Source);

        Control(deliverTo, text, headers, replyTo);
        _engine.AwaitQueues();

        Assert.Equal(["1 v kept"], _engine.Contents("VICTIM"));
    }

    [Fact]
    public void Flow_control_whose_subject_is_none_is_not_answered()
    {
        var (_, deliverTo) = Follow(Source);
        using var answers = _engine.Listen("flow.>");

        Control(deliverTo, "Idle Heartbeat", "Nats-Last-Consumer: 0\r\nNats-Consumer-Stalled: flow.2 1 5\r\n");

        Assert.Empty(answers.Messages);
    }

    [Fact]
    public void Answer_whose_fields_do_not_fit_is_described_without_types_of_the_program()
    {
        Begin(Mirror);

        Answer(_api!.Messages[0], """{"name":"c","num_pending":"many","config":{"deliver_subject":[]}}""");

        var description = (string)_engine.Do("STREAM.INFO.X")["mirror"]!["error"]!["description"]!;
        Assert.Contains("num_pending", description, StringComparison.Ordinal);
        Assert.DoesNotContain("System.", description, StringComparison.Ordinal);
        Assert.DoesNotContain("Postrider.", description, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("", "not JSON at all")]
    [InlineData("", """{"name":"c d","config":{"deliver_subject":"d"}}""")]
    [InlineData("", """{"name":"c\r\nPUB x 0","config":{"deliver_subject":"d"}}""")]
    [InlineData("", """{"name":"*","config":{"deliver_subject":"d"}}""")]
    [InlineData("", """{"name":"c","config":{"deliver_subject":">"}}""")]
    [InlineData("", """{"name":"c","config":{"deliver_subject":"d e"}}""")]
    [InlineData("", "{}")]
    [InlineData("", """{"name":"c"}""")]
    [InlineData("", """{"name":"c","config":{}}""")]
    [InlineData("", """{"error":{"code":404,"err_code":10059,"description":"stream not found"}}""")]
    [InlineData("", """{"name":"c","config":{"deliver_subject":"d","ack_policy":"sometimes"}}""")]
    [InlineData("NATS/1.0 503\r\n\r\n", "")]
    public void Answer_that_is_no_consumer_is_shown_as_the_error_and_asked_again_after_a_while(string headers, string answer)
    {
        Begin(Mirror);
        Answer(_api!.Messages[0], answer, headers);

        Assert.NotEmpty((string)_engine.Do("STREAM.INFO.X")["mirror"]!["error"]!["description"]!);
        Assert.Single(_api.Messages);

        var (_, deliverTo) = AskedAgain();
        Deliver(deliverTo, 1, 1, "one");
        Assert.Null(_engine.Do("STREAM.INFO.X")["mirror"]!["error"]);
        Assert.Equal(["1 o.x one"], _engine.Contents("X"));
    }

    [Fact]
    public void Older_server_is_asked_for_less()
    {
        Begin(Source);
        foreach (var level in new[] { "5", "4" })
        {
            var last = _api!.Messages[^1];
            Assert.Contains($"Nats-Required-Api-Level: {level}\r\n", last.Headers, StringComparison.Ordinal);
            Answer(last, """{"error":{"code":412,"err_code":10185,"description":"JetStream minimum api level required"}}""");
            AwaitRequests(_api.Messages.Count + 1);
        }

        var (plain, deliverTo) = Accept(_api!.Messages[^1]);

        Assert.Equal("", plain.Headers);
        Assert.Null(JsonNode.Parse(plain.Payload)!["config"]!["sourcing"]);
        Deliver(deliverTo, 1, 1, "one");
        Assert.Equal(["1 o.x one"], _engine.Contents("X"));
    }

    [Fact]
    public void Origin_that_was_made_again_is_copied_from_its_first_message()
    {
        var (_, deliverTo) = Follow(Source, identity: "first");
        Deliver(deliverTo, 1, 8, "one");
        _engine.Time.Advance(TimeSpan.FromSeconds(5));
        var again = AwaitRequests(2)[1];
        Assert.Contains("Nats-Stream-Identity: first\r\n", again.Headers, StringComparison.Ordinal);
        Assert.Equal(("by_start_sequence", 9), Start(again));

        Answer(again, """{"error":{"code":400,"err_code":10225,"description":"consumer's stream identity does not match: second"}}""");
        var (fresh, newDeliverTo) = AskedAgain();

        Assert.Equal("all", Start(fresh).Policy);
        Deliver(newDeliverTo, 1, 1, "new one");
        Assert.Equal(["1 o.x one", "2 o.x new one"], _engine.Contents("X"));
    }

    [Fact]
    public void Message_that_the_target_has_no_room_for_is_asked_for_again()
    {
        var (_, deliverTo) = Follow("""{"name":"X","max_msgs":1,"discard":"new","retention":"workqueue","sources":[{"name":"O","external":{"api":"p.api","deliver":"p.to"}}]}""");
        Deliver(deliverTo, 1, 1, "one");
        Deliver(deliverTo, 2, 2, "two");
        Assert.Equal("maximum messages exceeded", (string)_engine.Do("STREAM.INFO.X")["sources"]![0]!["error"]!["description"]!);

        Assert.Equal(("by_start_sequence", 2), Start(AskedAgain().Request));
        _engine.Do("STREAM.PURGE.X");
        Deliver(DeliverSubject(_api!.Messages[^1]), 1, 2, "two");

        Assert.Equal(["2 o.x two"], _engine.Contents("X"));
    }

    [Fact]
    public void What_comes_behind_a_refused_message_is_not_stored_before_it()
    {
        var (_, deliverTo) = Follow("""{"name":"X","max_msgs":1,"discard":"new","sources":[{"name":"O","external":{"api":"p.api","deliver":"p.to"}}]}""");
        Deliver(deliverTo, 1, 1, "one");
        Deliver(deliverTo, 2, 2, "two");
        _engine.Do("STREAM.PURGE.X");

        Deliver(deliverTo, 3, 3, "three");

        Assert.Empty(_engine.Contents("X"));
        Assert.Equal(("by_start_sequence", 2), Start(AskedAgain().Request));
    }

    [Fact]
    public void Mirror_keeps_its_limits_and_continues_when_there_is_room()
    {
        var (_, deliverTo) = Follow("""{"name":"X","max_msgs":1,"discard":"new","mirror":{"name":"O","external":{"api":"p.api","deliver":"p.to"}}}""");
        Deliver(deliverTo, 1, 1, "one");
        Deliver(deliverTo, 2, 4, "four");
        Assert.Equal(["1 o.x one"], _engine.Contents("X"));
        Assert.Equal("maximum messages exceeded", (string)_engine.Do("STREAM.INFO.X")["mirror"]!["error"]!["description"]!);

        _engine.Do("STREAM.PURGE.X");
        var (again, newDeliverTo) = AskedAgain();
        Deliver(newDeliverTo, 1, 4, "four");

        Assert.Equal(("by_start_sequence", 2), Start(again));
        Assert.Equal(["4 o.x four"], _engine.Contents("X"));
    }

    [Fact]
    public void Delivery_of_another_consumer_or_without_a_reply_subject_is_not_stored()
    {
        var (_, deliverTo) = Follow(Source);

        Send(deliverTo, "o.x", "$JS.ACK.O.other.1.1.1.1700000000000000000.0", "", "forged");
        Send(deliverTo, "o.x", "", "", "forged");
        Send(deliverTo, "o.x", "$JS.ACK.O.c.2.1.1.1700000000000000000.0", "", "again");
        Deliver(deliverTo, 1, 1, "one");

        Assert.Equal(["1 o.x one"], _engine.Contents("X"));
        Assert.Single(_api!.Messages);
    }

    [Fact]
    public void Source_that_is_removed_ends_its_consumer()
    {
        var (_, deliverTo) = Follow(Source);

        _engine.Do("STREAM.UPDATE.X", """{"name":"X","subjects":["own"]}""");

        Assert.Equal("p.api.CONSUMER.DELETE.O.c", AwaitRequests(2)[1].Subject);
        Deliver(deliverTo, 1, 1, "one");
        Assert.Empty(_engine.Contents("X"));
    }

    private static string DeliverSubject(StreamHarness.Received request) => (string)JsonNode.Parse(request.Payload)!["config"]!["deliver_subject"]!;

    private static (string Policy, int Sequence) Start(StreamHarness.Received request)
    {
        var config = JsonNode.Parse(request.Payload)!["config"]!;
        return ((string)config["deliver_policy"]!, (int?)config["opt_start_seq"] ?? 0);
    }

    private void Begin(string config)
    {
        _api = _engine.Listen("p.api.>");
        _engine.Do("STREAM.CREATE.X", config);
        AwaitRequests(1);
    }

    private (StreamHarness.Received Request, string DeliverTo) Follow(string config, string identity = "")
    {
        Begin(config);
        return Accept(_api!.Messages[0], identity);
    }

    private (StreamHarness.Received Request, string DeliverTo) AskedAgain()
    {
        var known = _api!.Messages.Count;
        for (var i = 0; i < 100 && _api.Messages.Count == known; i++) _engine.Time.Advance(TimeSpan.FromMilliseconds(100));
        return Accept(AwaitRequests(known + 1)[known]);
    }

    private (StreamHarness.Received Request, string DeliverTo) Accept(StreamHarness.Received request, string identity = "")
    {
        var deliverTo = DeliverSubject(request);
        Answer(request, $$$"""{"type":"x","stream_name":"O","name":"c","config":{"deliver_subject":"{{{deliverTo}}}"}}""", identity.Length == 0 ? "" : $"NATS/1.0\r\nNats-Stream-Identity: {identity}\r\n\r\n");
        return (request, deliverTo);
    }

    private List<StreamHarness.Received> AwaitRequests(int count)
    {
        for (var i = 0; i < 100 && _api!.Messages.Count < count; i++)
        {
            _engine.AwaitQueues();
            _engine.Time.Advance(TimeSpan.FromMilliseconds(100));
            Thread.Yield();
        }
        // A deletion is sent by the thread pool, which other tests may keep busy.
        SpinWait.SpinUntil(() => _api!.Messages.Count >= count, TimeSpan.FromSeconds(30));
        Assert.Equal(count, _api!.Messages.Count);
        return _api.Messages;
    }

    private void Answer(StreamHarness.Received request, string answer, string headers = "") => Send(request.ReplyTo, request.ReplyTo, "", headers, answer);

    private void Deliver(string deliverTo, int number, int sequence, string payload)
        => Send(deliverTo, "o.x", string.Create(CultureInfo.InvariantCulture, $"$JS.ACK.O.c.1.{sequence}.{number}.1700000000000000000.0"), "", payload);

    private void Control(string deliverTo, string text, string headers, string replyTo = "") => Send(deliverTo, deliverTo, replyTo, $"NATS/1.0 100 {text}\r\n{headers}\r\n", "");

    private void Send(string subject, string shown, string replyTo, string headers, string payload) => _engine.Run(batch => InternalPublisher.Publish(
        _engine.Account.Subscriptions, StreamHarness.Bytes(subject), StreamHarness.Bytes(shown), StreamHarness.Bytes(replyTo), StreamHarness.Bytes(headers), StreamHarness.Bytes(payload), batch, BrokerRequester.Instance));
}
