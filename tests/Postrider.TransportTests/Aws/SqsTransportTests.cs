using System.Collections.Concurrent;
using System.Text;
using Amazon.SQS.Model;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging;
using Postrider.Envelopes;
using Postrider.Transport.Aws;
using Postrider.Transports;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Aws;

/// <summary>What only AWS has, in front of moto.</summary>
public sealed class SqsTransportTests(SqsHarness harness) : IClassFixture<SqsHarness>
{
    private readonly string _queue = TransportHarness.NewName();

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Case_50_plan_names_what_is_missing_and_nothing_after_it_was_applied()
    {
        var binding = new SqsBinding(_queue) { DeadLetter = $"{_queue}-dead", Topics = [$"{_queue}-news"], Events = [new EventBridgeRule($"{_queue}-bus") { DetailTypes = ["Shop.Sent"] }] };

        var before = await harness.Aws.PlanAsync(binding, Ct);
        await harness.Aws.ApplyAsync(binding, Ct);
        var after = await harness.Aws.PlanAsync(binding, Ct);

        Assert.Equal(["queue", "queue", "redrive policy", "topic", "permission", "subscription", "event bus", "rule", "permission", "target"], before.Select(static change => change.Kind));
        Assert.All(before, static change => Assert.Null(change.Difference));
        Assert.Empty(after);
    }

    [Fact]
    public async Task Case_51_what_differs_is_named_and_not_changed()
    {
        var binding = new SqsBinding(_queue) { DeadLetter = $"{_queue}-dead", Events = [new EventBridgeRule("default") { Name = _queue, Sources = ["shop"] }] };
        await harness.Aws.ApplyAsync(binding, Ct);

        var other = await Assert.ThrowsAsync<PostriderException>(async () => await harness.Aws.ApplyAsync(binding with { DeadLetter = $"{_queue}-elsewhere" }, Ct));
        var more = await Assert.ThrowsAsync<PostriderException>(async () => await harness.Aws.ApplyAsync(binding with { Retry = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = 50 } }, Ct));
        var pattern = await Assert.ThrowsAsync<PostriderException>(async () => await harness.Aws.ApplyAsync(binding with { Events = [new EventBridgeRule("default") { Name = _queue, Sources = ["mill"] }] }, Ct));

        Assert.Contains($"its dead letters go to 'arn:aws:sqs:{MotoServer.Region}:123456789012:{_queue}-dead'", other.Message, StringComparison.Ordinal);
        Assert.Contains("it must be at least 51", more.Message, StringComparison.Ordinal);
        Assert.Contains("its pattern is", pattern.Message, StringComparison.Ordinal);
        Assert.Empty(await harness.Aws.PlanAsync(binding, Ct));
    }

    [Fact]
    public async Task Case_52_binding_that_declares_nothing_needs_its_queue()
    {
        var missing = await Assert.ThrowsAsync<PostriderException>(async () => await harness.Aws.ListenAsync(new SqsBinding(_queue) { DeclaresTopology = false }, static (_, _) => default, Ct));

        Assert.Equal(PostriderError.NoListener, missing.Error);
        Assert.Contains("DeclaresTopology is false", missing.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Case_47_queue_that_was_deleted_is_made_again()
    {
        var arrived = new ConcurrentQueue<string>();
        await using var listener = await harness.Aws.ListenAsync(harness.Binding(_queue), Into(arrived), Ct);

        await harness.DeleteAsync(_queue);
        await Eventually.SucceedsAsync<PostriderException, bool>(async () =>
        {
            await harness.Aws.SendAsync(Message("back"), Ct);
            return true;
        });
        await Eventually.HoldsAsync(() => arrived.Contains("back"));

        await Eventually.HoldsAsync(async () => (await harness.Aws.CheckHealthAsync(Ct)).Status == HealthStatus.Healthy);
    }

    [Fact]
    public async Task Case_46_wrong_secret_is_told_by_send_listen_and_health()
    {
        var options = harness.Options;
        options.SecretKey = "wrong";
        await using var transport = new AwsTransport(options);

        var sent = await Assert.ThrowsAsync<PostriderException>(async () => await transport.SendAsync(Message("x"), Ct));
        var published = await Assert.ThrowsAsync<PostriderException>(async () => await transport.OpenSender("sns/news").SendAsync(default, "x"u8.ToArray(), Ct));
        var listened = await Assert.ThrowsAsync<PostriderException>(async () => await transport.ListenAsync(new SqsBinding(_queue), static (_, _) => default, Ct));
        var health = await transport.CheckHealthAsync(Ct);

        Assert.All([sent, published, listened], static refused => Assert.Equal(PostriderError.Configuration, refused.Error));
        Assert.Contains("rejects the credentials", sent.Message, StringComparison.Ordinal);
        Assert.Equal(HealthStatus.Unhealthy, health.Status);
        Assert.Contains("rejects the credentials", health.Description, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Message_that_grows_beyond_the_limit_by_its_encoding_is_refused_with_both_sizes()
    {
        await harness.CreateAsync(_queue);

        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await harness.Aws.OpenSender(_queue).SendAsync(default, new byte[900_000], Ct));
        var topic = await Assert.ThrowsAsync<PostriderException>(async () => await harness.Aws.OpenSender("sns/news").SendAsync(default, new byte[300_000], Ct));

        Assert.Equal((PostriderError.TooLarge, PostriderError.TooLarge), (refused.Error, topic.Error));
        Assert.Contains("900000 bytes of body", refused.Message, StringComparison.Ordinal);
        Assert.Contains("limit of 1048576 bytes", refused.Message, StringComparison.Ordinal);
        Assert.Contains("262144 bytes", topic.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Batch_whose_bytes_reach_the_limit_before_its_count_is_split()
    {
        var arrived = new ConcurrentQueue<string>();
        await harness.CreateAsync(_queue);
        var sender = harness.Aws.OpenSender(_queue);
        var body = Encoding.UTF8.GetBytes(new string('x', 400_000));

        await Task.WhenAll(Enumerable.Range(0, 12).Select(_ => sender.SendAsync(default, body, Ct).AsTask()));
        await using var listener = await harness.Aws.ListenAsync(harness.Binding(_queue), Into(arrived), Ct);
        await Eventually.HoldsAsync(() => arrived.Count >= 12);

        Assert.All(arrived, static text => Assert.Equal(400_000, text.Length));
    }

    [Fact]
    public async Task Message_that_the_service_moved_away_has_no_reason_and_can_be_removed()
    {
        var binding = (SqsBinding)harness.Binding(_queue) with { DeadLetter = $"{_queue}-dead" };
        await harness.Aws.ApplyAsync(binding, Ct);
        await harness.Aws.SendAsync(Message("crash"), Ct);
        var url = (await harness.Admin.GetQueueUrlAsync(_queue, Ct)).QueueUrl;
        // Received by processes that die: three attempts and two more, then the service moves it.
        for (var i = 0; i < 6; i++)
            await harness.Admin.ReceiveMessageAsync(new ReceiveMessageRequest { QueueUrl = url, VisibilityTimeout = 0, WaitTimeSeconds = 0 }, Ct);

        var letters = harness.Aws.OpenDeadLetters($"{_queue}-dead");
        var letter = await Eventually.GivesAsync(async () =>
        {
            await foreach (var one in letters.ListAsync(DeadLetterQuery.All, Ct))
                return one;
            return null;
        });

        Assert.Null(letter.Reason);
        Assert.Equal("crash", Encoding.UTF8.GetString(letter.Body.Span));
        Assert.Equal(1, await letters.PurgeAsync(new DeadLetterQuery { Id = letter.Id }, Ct));
    }

    [Fact]
    public async Task Case_33_message_that_was_never_answered_is_a_dead_letter_of_ours()
    {
        var binding = (SqsBinding)harness.Binding(_queue) with { DeadLetter = $"{_queue}-dead" };
        await harness.Aws.ApplyAsync(binding, Ct);
        await harness.Aws.SendAsync(Message("crash"), Ct);
        var url = (await harness.Admin.GetQueueUrlAsync(_queue, Ct)).QueueUrl;
        for (var i = 0; i < 3; i++)
            await harness.Admin.ReceiveMessageAsync(new ReceiveMessageRequest { QueueUrl = url, VisibilityTimeout = 0, WaitTimeSeconds = 0 }, Ct);
        var arrived = new ConcurrentQueue<string>();

        await using var listener = await harness.Aws.ListenAsync(binding, Into(arrived), Ct);
        var letter = await Eventually.GivesAsync(async () =>
        {
            await foreach (var one in harness.Aws.OpenDeadLetters($"{_queue}-dead").ListAsync(DeadLetterQuery.All, Ct))
                return one;
            return null;
        });

        Assert.Equal((DeadLetterReason.Unanswered, _queue), (letter.Reason, letter.Origin));
        Assert.Empty(arrived);
    }

    [Fact]
    public async Task Case_35_lost_lease_is_settled_quietly_and_the_listener_goes_on()
    {
        var lines = new LogRecorder();
        using var loggers = LoggerFactory.Create(logging => logging.AddProvider(lines));
        await using var transport = new AwsTransport(harness.Options, loggers);
        var lost = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var arrived = new ConcurrentQueue<string>();
        await using var listener = await transport.ListenAsync(
            harness.Binding(_queue),
            async (envelope, _) =>
            {
                var text = Encoding.UTF8.GetString(envelope.Body.Span);
                arrived.Enqueue(text);
                if (text == "gone")
                    await lost.Task;
                return null;
            },
            Ct);
        await transport.SendAsync(Message("gone"), Ct);
        await Eventually.HoldsAsync(() => arrived.Contains("gone"));

        await harness.Admin.PurgeQueueAsync(new PurgeQueueRequest { QueueUrl = (await harness.Admin.GetQueueUrlAsync(_queue, Ct)).QueueUrl }, Ct);
        await Eventually.HoldsAsync(() => lines.Lines.Any(static line => line.Contains("is no longer reserved for its handler", StringComparison.Ordinal)));
        lost.SetResult();
        await transport.SendAsync(Message("next"), Ct);
        await Eventually.HoldsAsync(() => arrived.Contains("next"));

        Assert.Equal(["gone", "next"], arrived);
        Assert.DoesNotContain(lines.Lines, static line => line.Contains("No messages can be received", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Message_of_another_sender_arrives_with_its_attributes()
    {
        await harness.CreateAsync(_queue);
        await harness.Admin.SendMessageAsync(
            new SendMessageRequest
            {
                QueueUrl = (await harness.Admin.GetQueueUrlAsync(_queue, Ct)).QueueUrl,
                MessageBody = "plain",
                MessageAttributes = new() { ["Colour"] = new() { DataType = "String", StringValue = "blue" }, ["Count"] = new() { DataType = "Number", StringValue = "7" } },
            },
            Ct);
        var arrived = new TaskCompletionSource<Envelope>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var listener = await harness.Aws.ListenAsync(
            harness.Binding(_queue),
            (envelope, _) =>
            {
                arrived.TrySetResult(envelope);
                return default;
            },
            Ct);

        var envelope = await arrived.Task.WaitAsync(TimeSpan.FromSeconds(45), Ct);

        Assert.Equal(("blue", "7", _queue), (envelope.Headers["Colour"], envelope.Headers["Count"], envelope.Delivery!.Store));
        Assert.NotNull(envelope.Delivery.StoredAt);
    }

    [Fact]
    public void Route_back_to_a_binding_is_recognized()
    {
        var binding = new SqsBinding("q") { Topics = ["news"], Events = [new EventBridgeRule("shop")] };

        Assert.All(["q", "sns/news", "events/shop"], destination => Assert.True(harness.Aws.Reaches(destination, harness.Aws, binding)));
        Assert.All(["other", "sns/q", "events/q"], destination => Assert.False(harness.Aws.Reaches(destination, harness.Aws, binding)));
        Assert.False(harness.Aws.Reaches("q", new InMemoryTransport(), binding));
    }

    private Envelope Message(string body) => new() { Destination = _queue, Body = Encoding.UTF8.GetBytes(body) };

    private static EnvelopeReceiver Into(ConcurrentQueue<string> arrived) => (envelope, _) =>
    {
        arrived.Enqueue(Encoding.UTF8.GetString(envelope.Body.Span));
        return default;
    };
}
