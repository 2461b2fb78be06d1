using System.Text;
using System.Text.Json.Nodes;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Broker;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Streams.Queues;
using Postrider.Broker.Routing;
using Postrider.Sockets;

namespace Postrider.UnitTests.Broker.JetStream.Streams.Queues;

/// <summary>The thread of a connection serves others too: what may take long is not done on it.</summary>
public sealed class RequestQueueTests
{
    public static TheoryData<string, string> LongRequests => new()
    {
        { "STREAM.CREATE.T", """{"name":"T"}""" },
        { "STREAM.UPDATE.S", """{"name":"S","subjects":["a.*","b"]}""" },
        { "STREAM.NAMES", "" },
        { "STREAM.LIST", "" },
        { "STREAM.INFO.S", """{"subjects_filter":">"}""" },
        { "STREAM.INFO.S", """{"deleted_details":true}""" },
        { "STREAM.INFO.WIDE", "" },
        { "STREAM.PURGE.S", "" },
        { "STREAM.MSG.DELETE.S", """{"seq":1}""" },
        { "STREAM.SNAPSHOT.S", """{"deliver_subject":"to.me"}""" },
        { "STREAM.DELETE.S", "" },
    };

    [Theory]
    [MemberData(nameof(LongRequests))]
    public void A_request_that_has_to_wait_lets_its_connection_go_on(string operation, string payload)
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a.*"]}""");
        engine.Do("STREAM.CREATE.WIDE", $$"""{"name":"WIDE","subjects":[{{string.Join(',', Enumerable.Range(0, 100).Select(static i => $"\"b.{i}\""))}}]}""");
        engine.Store("a.1", "x");
        Assert.True(engine.Streams.TryGetStream("S", out var stream));
        Assert.True(engine.Streams.TryGetStream("WIDE", out var wide));
        using var inbox = engine.Listen("_INBOX.long");

        // As long as these are held the request cannot be answered; that this comes to its end is the test.
        lock (engine.Streams.Changes)
        {
            using (stream.Gate.Hold())
            using (wide.Gate.Hold()) Send(engine, operation, payload);
        }

        engine.AwaitQueues();
        Assert.Null(JsonNode.Parse(Assert.Single(inbox.Messages).Payload)!["error"]);
    }

    [Theory]
    [InlineData("S", "")]
    [InlineData("S", "{}")]
    [InlineData("NONE", "")]
    public void State_of_a_usual_stream_is_answered_at_once(string stream, string payload)
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a.*"]}""");
        using var inbox = engine.Listen("_INBOX.long");

        Send(engine, "STREAM.INFO." + stream, payload);

        var answer = JsonNode.Parse(Assert.Single(inbox.Messages).Payload)!;
        Assert.Equal(stream == "S" ? "S" : null, (string?)answer["config"]?["name"]);
        Assert.Equal(stream == "S" ? null : 10059, (int?)answer["error"]?["err_code"]);
    }

    [Fact]
    public void Requests_that_change_something_are_handled_in_their_order()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a.*"]}""");
        using var inbox = engine.Listen("_INBOX.long");

        engine.Start(batch =>
        {
            for (var i = 0; i < 50; i++)
            {
                Publish(engine, batch, $"STREAM.CREATE.T{i}", $$"""{"name":"T{{i}}"}""");
                Publish(engine, batch, $"STREAM.DELETE.T{i}", "");
            }
        });

        engine.AwaitQueues();
        Assert.Equal(100, inbox.Messages.Count);
        Assert.All(inbox.Messages, answer => Assert.Null(JsonNode.Parse(answer.Payload)!["error"]));
        Assert.Equal(["S"], engine.Do("STREAM.NAMES")["streams"]!.AsArray().Select(name => (string)name!));
    }

    [Fact]
    public void A_purge_of_very_many_messages_leaves_what_came_behind_it()
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a.*"],"storage":"memory"}""");
        engine.Run(batch =>
        {
            for (var i = 0; i < 12_000; i++)
                InternalPublisher.Publish(engine.Account.Subscriptions, StreamHarness.Bytes($"a.{i % 3}"), "x"u8, batch);
        });

        var purged = engine.Do("STREAM.PURGE.S", """{"filter":"a.1"}""");
        var kept = engine.Do("STREAM.PURGE.S", """{"keep":10}""");
        engine.Store("a.1", "later");

        Assert.Equal((4_000, 7_990), ((int)purged["purged"]!, (int)kept["purged"]!));
        Assert.Equal(11, (int)engine.Do("STREAM.INFO.S")["state"]!["messages"]!);
    }

    [Theory]
    [InlineData("memory")]
    [InlineData("file")]
    public void A_purge_finds_few_messages_among_very_many(string storage)
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", $$"""{"name":"S","subjects":["a.*","b.*"],"storage":"{{storage}}"}""");
        const int messages = 120_000;
        const int every = 30_000;
        engine.Run(batch =>
        {
            for (var i = 1; i <= messages; i++)
                InternalPublisher.Publish(engine.Account.Subscriptions, StreamHarness.Bytes(i % every == 0 ? $"b.{i}" : "a.1"), "x"u8, batch);
        });

        Assert.Equal(1, (int)engine.Do("STREAM.PURGE.S", $$"""{"filter":"b.*","seq":{{every + 1}}}""")["purged"]!);
        Assert.Equal(2, (int)engine.Do("STREAM.PURGE.S", """{"filter":"b.*","keep":1}""")["purged"]!);
        Assert.Equal(1, (int)engine.Do("STREAM.PURGE.S", """{"filter":"b.*"}""")["purged"]!);
        Assert.Equal(messages - 4, (int)engine.Do("STREAM.INFO.S")["state"]!["messages"]!);
    }

    [Theory]
    [InlineData("\"max_msgs\":100", 100)]
    [InlineData("\"max_msgs\":7000,\"max_msgs_per_subject\":2500", 7_000)]
    [InlineData("\"max_msgs\":7000,\"max_msgs_per_subject\":2000", 6_000)]
    [InlineData("\"max_bytes\":1000", 34)]
    public void Lower_limits_leave_what_they_allow(string limits, int left)
    {
        using var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a.*"],"storage":"memory"}""");
        engine.Run(batch =>
        {
            for (var i = 0; i < 12_000; i++)
                InternalPublisher.Publish(engine.Account.Subscriptions, StreamHarness.Bytes($"a.{i % 3}"), "0123456789"u8, batch);
        });

        engine.Do("STREAM.UPDATE.S", $$"""{"name":"S","subjects":["a.*"],"storage":"memory",{{limits}}}""");

        var state = engine.Do("STREAM.INFO.S")["state"]!;
        Assert.Equal((left, 12_000), ((int)state["messages"]!, (int)state["last_seq"]!));
        Assert.Equal(12_001 - left, (int)state["first_seq"]!);
    }

    [Fact]
    public void A_user_that_fills_the_queue_leaves_room_for_another()
    {
        using var log = new LogRecorder();
        var queue = new RequestQueue(new SendBatchSet(), "SHOP", log);
        using var hanging = new HangingHandler();
        Assert.True(queue.TryAdd(hanging, new Asker(1, "greedy"), "first"u8, [], [], []));
        hanging.AwaitFirst();

        var waiting = 0;
        while (queue.TryAdd(hanging, new Asker((ulong)waiting, "greedy"), "more"u8, [], [], [])) waiting++;

        Assert.Equal(10_000, waiting);
        Assert.True(queue.TryAdd(hanging, new Asker(2, "modest"), "other"u8, [], [], []));
        Assert.True(queue.TryAdd(hanging, new Asker(3, null), "third"u8, [], [], []));
        Assert.False(queue.TryAdd(hanging, new Asker(1, "greedy"), "more"u8, [], [], []));
        Assert.Equal(
            "JetStream requests of account 'SHOP': 10000 wait (40000 bytes); of users who have had their share, further ones are refused with 503 until fewer wait",
            Assert.Single(log.Lines));
        hanging.Release();
        Assert.True(SpinWait.SpinUntil(() => queue.IsIdle, TimeSpan.FromMinutes(1)));
        Assert.Equal(waiting + 3, hanging.Count);
    }

    [Fact]
    public void Users_take_turns()
    {
        var queue = new RequestQueue(new SendBatchSet(), "SHOP", NullLogger.Instance);
        using var hanging = new HangingHandler();
        Assert.True(queue.TryAdd(hanging, null, "first"u8, [], [], []));
        hanging.AwaitFirst();

        for (var i = 0; i < 3; i++) Assert.True(queue.TryAdd(hanging, new Asker(1, "greedy"), StreamHarness.Bytes($"greedy {i}"), [], [], []));
        for (var i = 0; i < 2; i++) Assert.True(queue.TryAdd(hanging, new Asker(2, null), StreamHarness.Bytes($"modest {i}"), [], [], []));
        hanging.Release();

        Assert.True(SpinWait.SpinUntil(() => queue.IsIdle, TimeSpan.FromMinutes(1)));
        Assert.Equal(["first", "greedy 0", "modest 0", "greedy 1", "modest 1", "greedy 2"], hanging.Subjects);
    }

    [Fact]
    public void Another_users_request_is_handled_while_one_takes_long_and_the_same_users_next_one_waits()
    {
        var queue = new RequestQueue(new SendBatchSet(), "SHOP", NullLogger.Instance, atOnce: 2);
        using var hanging = new HangingHandler();
        using var other = new HangingHandler();
        other.Release();
        Assert.True(queue.TryAdd(hanging, new Asker(1, "greedy"), "first"u8, [], [], []));
        hanging.AwaitFirst();

        Assert.True(queue.TryAdd(hanging, new Asker(2, "greedy"), "second"u8, [], [], []));
        Assert.True(queue.TryAdd(other, new Asker(3, "modest"), "other"u8, [], [], []));
        other.AwaitFirst();
        var meanwhile = hanging.Count;
        hanging.Release();

        Assert.True(SpinWait.SpinUntil(() => queue.IsIdle, TimeSpan.FromMinutes(1)));
        Assert.Equal(1, meanwhile);
        Assert.Equal(["first", "second"], hanging.Subjects);
        Assert.Equal(["other"], other.Subjects);
    }

    [Fact]
    public void A_stop_waits_for_every_request_that_is_handled()
    {
        var queue = new RequestQueue(new SendBatchSet(), "SHOP", NullLogger.Instance, atOnce: 2);
        using var one = new HangingHandler();
        using var two = new HangingHandler();
        Assert.True(queue.TryAdd(one, new Asker(1, "one"), "one"u8, [], [], []));
        Assert.True(queue.TryAdd(two, new Asker(2, "two"), "two"u8, [], [], []));
        one.AwaitFirst();
        two.AwaitFirst();

        one.Release();
        Assert.False(queue.Stop(TimeSpan.FromMilliseconds(1)));
        two.Release();

        Assert.True(queue.Stop(TimeSpan.FromMinutes(1)));
        Assert.True(queue.IsIdle);
    }

    [Fact]
    public void Requests_that_wait_are_bounded_in_bytes()
    {
        var queue = new RequestQueue(new SendBatchSet(), "SHOP", NullLogger.Instance);
        using var hanging = new HangingHandler();
        var payload = new byte[1024 * 1024];
        Assert.True(queue.TryAdd(hanging, null, "first"u8, [], [], []));
        hanging.AwaitFirst();

        var waiting = 0;
        while (waiting < 200 && queue.TryAdd(hanging, new Asker(1, "greedy"), [], [], [], payload)) waiting++;

        Assert.Equal(64, waiting);
        Assert.True(queue.TryAdd(hanging, new Asker(2, "modest"), [], [], [], payload));
        hanging.Release();
        Assert.True(queue.Stop(TimeSpan.FromMinutes(1)));
    }

    [Fact]
    public void A_stop_leaves_a_request_that_does_not_end_and_takes_no_more()
    {
        var queue = new RequestQueue(new SendBatchSet(), "SHOP", NullLogger.Instance);
        using var hanging = new HangingHandler();
        Assert.True(queue.TryAdd(hanging, null, "first"u8, [], [], []));
        Assert.True(queue.TryAdd(hanging, null, "second"u8, [], [], []));
        hanging.AwaitFirst();

        Assert.False(queue.Stop(TimeSpan.FromMilliseconds(1)));
        Assert.False(queue.TryAdd(hanging, null, "third"u8, [], [], []));
        hanging.Release();

        Assert.True(queue.Stop(TimeSpan.FromMinutes(1)));
        Assert.True(queue.IsIdle);
        Assert.Equal(1, hanging.Count);
    }

    [Fact]
    public async Task A_purge_is_broken_off_when_the_engine_stops()
    {
        var engine = new StreamHarness();
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["a.*"],"storage":"memory"}""");
        engine.Run(batch =>
        {
            for (var i = 0; i < 20_000; i++) InternalPublisher.Publish(engine.Account.Subscriptions, "a.1"u8, "x"u8, batch);
        });
        Assert.True(engine.Streams.TryGetStream("S", out var stream));
        using var inbox = engine.Listen("_INBOX.long");

        // The purge waits for the stream's lock; by the time it has it, the engine stops.
        Task stop;
        using (stream.Gate.Hold())
        {
            Send(engine, "STREAM.PURGE.S", """{"keep":1}""");
            stop = Task.Run(engine.Dispose, TestContext.Current.CancellationToken);
            Assert.True(SpinWait.SpinUntil(() => engine.Engine.IsStopping, TimeSpan.FromMinutes(1)));
        }

        await stop.WaitAsync(TimeSpan.FromMinutes(1), TestContext.Current.CancellationToken);
        Assert.All(inbox.Messages, static answer => Assert.Equal(0, (int)JsonNode.Parse(answer.Payload)!["purged"]!));
    }

    private sealed class HangingHandler : IInternalSubscriber, IDisposable
    {
        private readonly ManualResetEventSlim _began = new();
        private readonly ManualResetEventSlim _mayEnd = new();

        public int Count { get; private set; }

        public List<string> Subjects { get; } = [];

        public void AwaitFirst() => Assert.True(_began.Wait(TimeSpan.FromMinutes(1), TestContext.Current.CancellationToken));

        public void Release() => _mayEnd.Set();

        public void Handle(
            IPublishingClient? publisher, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, SendBatch batch)
        {
            Count++;
            Subjects.Add(Encoding.UTF8.GetString(subject));
            _began.Set();
            _mayEnd.Wait();
        }

        public void Dispose()
        {
            _began.Dispose();
            _mayEnd.Dispose();
        }
    }

    private static void Send(StreamHarness engine, string operation, string payload) => engine.Start(batch => Publish(engine, batch, operation, payload));

    private static void Publish(StreamHarness engine, SendBatch batch, string operation, string payload)
        => InternalPublisher.Publish(
            engine.Account.Subscriptions,
            StreamHarness.Bytes("$JS.API." + operation),
            StreamHarness.Bytes("$JS.API." + operation),
            "_INBOX.long"u8,
            [],
            StreamHarness.Bytes(payload),
            batch, BrokerRequester.Instance);
}
