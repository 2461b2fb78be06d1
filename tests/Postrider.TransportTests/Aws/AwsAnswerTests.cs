using System.Collections.Concurrent;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json.Nodes;
using Amazon.Runtime;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Postrider.Envelopes;
using Postrider.Transport.Aws;
using Postrider.Transports;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Aws;

/// <summary>Answers that AWS is known to give and moto does not: faults of single items, throttling, other clocks, pages of proxies.</summary>
public sealed class AwsAnswerTests
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Only_the_failed_messages_of_a_batch_are_sent_again()
    {
        var seen = new ConcurrentQueue<string[]>();
        var gate = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var server = await AwsStandIn.StartAsync(async (operation, body, _) =>
        {
            if (operation == "GetQueueUrl")
                return (200, """{"QueueUrl":"http://127.0.0.1/1/q"}""");
            var entries = ((JsonArray)JsonNode.Parse(body)!["Entries"]!).Select(static entry => (Id: (string)entry!["Id"]!, Body: (string)entry["MessageBody"]!)).ToArray();
            seen.Enqueue([.. entries.Select(static entry => entry.Body)]);
            if (seen.Count == 1)
                await gate.Task;
            var bad = seen.Count == 2 ? entries.Where(static entry => entry.Body is "b" or "c").ToArray() : [];
            return (200, Results(entries.Except(bad), bad.Select(static entry => (entry.Id, entry.Body == "b" ? "ServiceUnavailable" : "InvalidMessageContents", entry.Body == "c"))));
        });
        await using var transport = new AwsTransport(server.Options);
        var sender = transport.OpenSender("q");
        Task Send(string text) => sender.SendAsync(default, Encoding.UTF8.GetBytes(text), Ct).AsTask();

        var first = Send("first");
        await Eventually.HoldsAsync(() => seen.Count == 1);
        var (a, b, c) = (Send("a"), Send("b"), Send("c"));
        gate.SetResult();
        await Task.WhenAll(first, a, b);
        var refused = await Assert.ThrowsAsync<PostriderException>(() => c);

        Assert.Equal(PostriderError.Configuration, refused.Error);
        Assert.Equal(["first", "a,b,c", "b"], seen.Select(static batch => string.Join(',', batch)));
    }

    [Fact]
    public async Task Failed_entries_of_a_successful_answer_of_EventBridge_are_put_again_alone()
    {
        var puts = new ConcurrentQueue<int>();
        await using var server = await AwsStandIn.StartAsync((operation, body, _) =>
        {
            if (operation != "PutEvents")
                return Task.FromResult((200, "{}"));
            var count = ((JsonArray)JsonNode.Parse(body)!["Entries"]!).Count;
            puts.Enqueue(count);
            return Task.FromResult((200, puts.Count == 1 ? """{"FailedEntryCount":1,"Entries":[{"ErrorCode":"ThrottlingException","ErrorMessage":"slow down"}]}""" : """{"FailedEntryCount":0,"Entries":[{"EventId":"e"}]}"""));
        });
        await using var transport = new AwsTransport(server.Options);

        await transport.OpenSender("events/shop").SendAsync(default, "{}"u8.ToArray(), Ct);

        Assert.Equal([1, 1], puts);
    }

    [Fact]
    public async Task Malformed_entry_of_EventBridge_fails_and_is_not_put_again()
    {
        var puts = 0;
        await using var server = await AwsStandIn.StartAsync((operation, _, _) => Task.FromResult((200, operation == "PutEvents" && Interlocked.Increment(ref puts) > 0 ? """{"FailedEntryCount":1,"Entries":[{"ErrorCode":"MalformedDetail","ErrorMessage":"Detail is malformed."}]}""" : "{}")));
        await using var transport = new AwsTransport(server.Options);

        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await transport.OpenSender("events/shop").SendAsync(default, "{}"u8.ToArray(), Ct));

        Assert.Equal(1, puts);
        Assert.Contains("Detail is malformed", refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(400, "<ErrorResponse><Error><Code>Throttling</Code><Message>Rate exceeded</Message></Error></ErrorResponse>")]
    [InlineData(500, "<ErrorResponse><Error><Code>InternalFailure</Code></Error></ErrorResponse>")]
    [InlineData(503, "<!doctype html><html><h1>503 of a proxy</h1></html>")]
    public async Task Failure_of_SNS_that_passes_is_repeated(int status, string text)
    {
        var publishes = 0;
        await using var server = await AwsStandIn.StartAsync((_, _, _) => Task.FromResult(Interlocked.Increment(ref publishes) < 3 ? (status, text) : (200, "<PublishBatchResponse><PublishBatchResult><Failed/><Successful><member><Id>0</Id><MessageId>&#x61;&amp;b</MessageId></member></Successful></PublishBatchResult></PublishBatchResponse>")));
        await using var transport = new AwsTransport(server.Options);

        await transport.OpenSender("sns/news").SendAsync(default, "x"u8.ToArray(), Ct);

        Assert.Equal(3, publishes);
    }

    [Fact]
    public async Task Message_that_an_answer_does_not_name_has_failed()
    {
        await using var server = await AwsStandIn.StartAsync((_, _, _) => Task.FromResult((200, "<PublishBatchResponse><PublishBatchResult><Successful/><Failed/></PublishBatchResult></PublishBatchResponse>")));
        await using var transport = new AwsTransport(server.Options);

        var failed = await Assert.ThrowsAsync<TimeoutException>(async () => await transport.OpenSender("sns/news").SendAsync(default, "x"u8.ToArray(), Ct));

        Assert.Contains("'sns/news'", failed.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(200, "<!doctype html><html><h1>Sign in to the network</h1></html>")]
    [InlineData(302, "<!doctype html><html>moved</html>")]
    [InlineData(404, "<!doctype html><html>nothing here</html>")]
    public async Task Page_of_a_proxy_is_told_as_one(int status, string text)
    {
        await using var server = await AwsStandIn.StartAsync((_, _, _) => Task.FromResult((status, text)));
        await using var transport = new AwsTransport(server.Options);

        var failed = await Assert.ThrowsAnyAsync<Exception>(async () => await transport.OpenSender("sns/news").SendAsync(default, "x"u8.ToArray(), Ct));

        Assert.Contains("check the endpoint, and proxies on the way", failed.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Clock_that_differs_is_corrected_by_the_date_of_the_answer()
    {
        var dates = new ConcurrentQueue<string>();
        await using var server = await AwsStandIn.StartAsync((_, _, authorization) =>
        {
            dates.Enqueue(authorization.Split('/')[1]);
            return Task.FromResult(dates.Count == 1
                ? (403, "<ErrorResponse><Error><Code>SignatureDoesNotMatch</Code><Message>Signature expired: 20200101T000000Z is now earlier than 20260101T000000Z</Message></Error></ErrorResponse>")
                : (200, "<PublishBatchResponse><PublishBatchResult><Successful><member><Id>0</Id></member></Successful></PublishBatchResult></PublishBatchResponse>"));
        });
        var clock = new TestClock(new DateTimeOffset(2020, 1, 1, 0, 0, 0, TimeSpan.Zero));
        await using var transport = new AwsTransport(server.Options, time: clock);

        await transport.OpenSender("sns/news").SendAsync(default, "x"u8.ToArray(), Ct);

        Assert.Equal(["20200101", DateTime.UtcNow.ToString("yyyyMMdd", CultureInfo.InvariantCulture)], dates);
    }

    [Fact]
    public async Task Rotated_credentials_are_used_from_the_next_request_on()
    {
        var keys = new ConcurrentQueue<string>();
        await using var server = await AwsStandIn.StartAsync((operation, body, authorization) =>
        {
            keys.Enqueue(authorization.Split("Credential=")[1].Split('/')[0]);
            return Task.FromResult((200, operation == "GetQueueUrl" ? """{"QueueUrl":"http://127.0.0.1/1/q"}""" : operation == "PublishBatch" ? "<a><Successful><member><Id>0</Id></member></Successful></a>" : Results([("0", "x")], [])));
        });
        var key = "KEYONE";
        var options = server.Options;
        (options.AccessKey, options.SecretKey) = (null, null);
        await using var transport = new AwsTransport(options.UseCredentials(() => new ImmutableCredentials(key, "secret", null)));

        await transport.OpenSender("q").SendAsync(default, "x"u8.ToArray(), Ct);
        await transport.OpenSender("sns/news").SendAsync(default, "x"u8.ToArray(), Ct);
        key = "KEYTWO";
        await transport.OpenSender("q").SendAsync(default, "x"u8.ToArray(), Ct);
        await transport.OpenSender("sns/news").SendAsync(default, "x"u8.ToArray(), Ct);

        Assert.Equal(["KEYONE", "KEYONE", "KEYONE", "KEYTWO", "KEYTWO"], keys);
    }

    // A service that throttles is slower than a lease: the message would be delivered again.
    [Fact]
    public async Task Lease_of_a_handled_message_is_renewed_until_the_message_is_deleted()
    {
        var (handled, renewed, deleted) = (new TaskCompletionSource(), new TaskCompletionSource(), new TaskCompletionSource());
        var clock = new TestClock(DateTimeOffset.UtcNow);
        var received = 0;
        await using var server = await AwsStandIn.StartAsync(async (operation, body, _) =>
        {
            switch (operation)
            {
                case "GetQueueUrl":
                    return (200, """{"QueueUrl":"http://127.0.0.1/1/q"}""");
                case "ReceiveMessage" when Interlocked.Increment(ref received) == 1:
                    return (200, $$"""{"Messages":[{"MessageId":"m","ReceiptHandle":"h","Body":"x","MD5OfBody":"{{Md5("x")}}"}]}""");
                case "DeleteMessageBatch":
                    handled.TrySetResult();
                    await renewed.Task;
                    deleted.TrySetResult();
                    return (200, """{"Successful":[{"Id":"0"}],"Failed":[]}""");
                case "ChangeMessageVisibilityBatch":
                    renewed.TrySetResult();
                    return (200, """{"Successful":[{"Id":"0"}],"Failed":[]}""");
                default:
                    return (200, "{}");
            }
        });
        await using var transport = new AwsTransport(server.Options, time: clock);
        await using var listener = await transport.ListenAsync(new SqsBinding("q") { DeclaresTopology = false, Lease = TimeSpan.FromSeconds(6) }, static (_, _) => default, Ct);

        await handled.Task.WaitAsync(Eventually.Patience, Ct);
        await Eventually.HoldsAsync(() =>
        {
            clock.Advance(TimeSpan.FromSeconds(1));
            return deleted.Task.IsCompleted;
        });

        Assert.True(renewed.Task.IsCompleted);
    }

    [Theory]
    [InlineData("AccessDeniedException", HealthStatus.Healthy)]
    [InlineData("UnrecognizedClientException", HealthStatus.Unhealthy)]
    [InlineData("ExpiredTokenException", HealthStatus.Unhealthy)]
    public async Task Health_knows_a_wrong_key_from_a_missing_right(string code, HealthStatus expected)
    {
        await using var server = await AwsStandIn.StartAsync((_, _, _) => Task.FromResult((400, $"{{\"__type\":\"com.amazon.coral.service#{code}\",\"message\":\"no\"}}")));
        await using var transport = new AwsTransport(server.Options);

        var health = await transport.CheckHealthAsync(Ct);

        Assert.Equal(expected, health.Status);
    }

    private static string Results(IEnumerable<(string Id, string Body)> stored, IEnumerable<(string Id, string Code, bool IsSenders)> failed)
        => new JsonObject
        {
            ["Successful"] = new JsonArray([.. stored.Select(static entry => (JsonNode)new JsonObject { ["Id"] = entry.Id, ["MessageId"] = "m", ["MD5OfMessageBody"] = Md5(entry.Body) })]),
            ["Failed"] = new JsonArray([.. failed.Select(static entry => (JsonNode)new JsonObject { ["Id"] = entry.Id, ["Code"] = entry.Code, ["Message"] = "said so", ["SenderFault"] = entry.IsSenders })]),
        }.ToJsonString();

    // The sum that SQS answers with.
#pragma warning disable CA5351
    private static string Md5(string text) => Convert.ToHexStringLower(MD5.HashData(Encoding.UTF8.GetBytes(text)));
#pragma warning restore CA5351
}
