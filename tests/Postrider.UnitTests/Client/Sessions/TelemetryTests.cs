using System.Collections.Concurrent;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using Postrider.Broker;
using Postrider.Client;

namespace Postrider.UnitTests.Client.Sessions;

public sealed class TelemetryTests : IAsyncLifetime
{
    private const string Source = "Postrider.Client";

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly ConcurrentQueue<Activity> _spans = [];
    private readonly ActivityListener _listener;
    private NatsBroker _broker = null!;
    private NatsClient _client = null!;

    public TelemetryTests()
    {
        _listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == Source,
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = _spans.Enqueue,
        };
    }

    public async ValueTask InitializeAsync()
    {
        _broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false });
        _client = await NatsClient.ConnectAsync(new ClientOptions { Connector = _broker.Connector, Name = "observed" });
        ActivitySource.AddActivityListener(_listener);
    }

    public async ValueTask DisposeAsync()
    {
        _listener.Dispose();
        await _client.DisposeAsync();
        await _broker.DisposeAsync();
    }

    [Fact]
    public async Task Request_for_many_replies_is_one_trace_from_the_request_over_every_handler_to_the_replies()
    {
        await using var one = AnswerTwice("observed.many");
        await using var two = AnswerTwice("observed.many");
        await _client.FlushAsync();

        var replies = await CountAsync(_client.RequestManyAsync<string, string>("observed.many", "go", new RequestManyOptions { MaxReplies = 4, Timeout = Patience }));

        Assert.Equal(4, replies);
        // The spans of handlers end after their replies were sent.
        Assert.True(SpinWait.SpinUntil(() => Spans("process observed.many").Length == 2, Patience), "Two handlers make two spans.");
        var request = Assert.Single(Spans("publish observed.many"));
        Assert.Equal(ActivityKind.Producer, request.Kind);
        Assert.Equal(("nats", "publish", "send", 2), (request.GetTagItem("messaging.system"), request.GetTagItem("messaging.operation.name"), request.GetTagItem("messaging.operation.type"), request.GetTagItem("messaging.message.body.size")));
        var handlers = Spans("process observed.many");
        Assert.All(handlers, handler => Assert.Equal((request.TraceId, request.SpanId, ActivityKind.Consumer), (handler.TraceId, handler.ParentSpanId, handler.Kind)));
        // A handler's message has the payload of two bytes and the headers of the trace.
        Assert.All(handlers, handler => Assert.True(handler.GetTagItem("messaging.message.envelope.size") is > 50 && handler.GetTagItem("messaging.message.body.size") is null));
        var answers = _spans.Where(span => span.OperationName == "publish (temporary)" && span.GetTagItem("messaging.destination.temporary") is true && span.TraceId == request.TraceId).ToArray();
        Assert.Equal(4, answers.Length);
        Assert.All(answers, answer => Assert.Contains(answer.ParentSpanId, handlers.Select(handler => handler.SpanId)));
    }

    [Fact]
    public async Task Request_for_many_replies_is_counted_as_one_message_out_and_each_reply_in()
    {
        await using var service = AnswerTwice("observed.counted");
        await _client.FlushAsync();
        await using var asking = await NatsClient.ConnectAsync(new ClientOptions { Connector = _broker.Connector, Name = "counted" });
        var counts = new ConcurrentDictionary<string, long>();
        using var meters = new MeterListener { InstrumentPublished = static (instrument, listener) => { if (instrument.Meter.Name == Source) listener.EnableMeasurementEvents(instrument); } };
        meters.SetMeasurementEventCallback<long>((instrument, value, tags, _) =>
        {
            foreach (var tag in tags)
                if (tag.Value is "counted") counts[instrument.Name] = value;
        });
        meters.Start();

        await CountAsync(asking.RequestManyAsync<string, string>("observed.counted", "go", new RequestManyOptions { MaxReplies = 2, Timeout = Patience }));
        meters.RecordObservableInstruments();

        // A trace is on: each message carries its header.
        var traced = "NATS/1.0\r\ntraceparent: 00-0123456789abcdef0123456789abcdef-0123456789abcdef-01\r\n\r\n".Length;
        Assert.Equal((1, "go".Length + traced, 2, "first.".Length + "second".Length + (2 * traced)), (counts["messaging.client.sent.messages"], counts["postrider.client.sent.bytes"], counts["messaging.client.consumed.messages"], counts["postrider.client.received.bytes"]));
    }

    [Fact]
    public async Task Handler_is_in_the_trace_of_the_publisher_and_has_its_baggage()
    {
        var handled = new TaskCompletionSource<Activity?>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var service = _client.Subscribe<string>("observed.baggage", (_, _) =>
        {
            handled.TrySetResult(Activity.Current);
            return default;
        });
        await _client.FlushAsync();
        using var sender = new Activity("order").SetIdFormat(ActivityIdFormat.W3C).AddBaggage("tenant", "blue, \u2603").AddBaggage("user", "7").Start();

        await _client.PublishAsync("observed.baggage", "go", headers: new NatsHeaders { ["baggage"] = "tenant=mine" });

        var span = await handled.Task.WaitAsync(Patience);
        Assert.Equal((sender.TraceId, "process observed.baggage"), (span!.TraceId, span.DisplayName));
        // A header of the application's own wins.
        Assert.Equal(("mine", null), (span.GetBaggageItem("tenant"), span.GetBaggageItem("user")));
        handled = new(TaskCreationOptions.RunContinuationsAsynchronously);
        await _client.PublishAsync("observed.baggage", "go");
        span = await handled.Task.WaitAsync(Patience);
        Assert.Equal(("blue, \u2603", "7"), (span!.GetBaggageItem("tenant"), span.GetBaggageItem("user")));
    }

    private NatsSubscription AnswerTwice(string subject) => _client.Subscribe<string>(subject, static async (message, ct) =>
    {
        await message.ReplyAsync("first.", ct: ct);
        await message.ReplyAsync("second", ct: ct);
    });

    private Activity[] Spans(string name) => [.. _spans.Where(span => span.OperationName == name)];

    private static async Task<int> CountAsync<T>(IAsyncEnumerable<T> items)
    {
        var count = 0;
        await foreach (var _ in items) count++;
        return count;
    }
}
