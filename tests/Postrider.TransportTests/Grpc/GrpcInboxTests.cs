using System.Collections.Concurrent;
using Google.Protobuf;
using Google.Protobuf.WellKnownTypes;
using Grpc.Core;
using Grpc.Net.Client;
using Postrider.Envelopes;
using Postrider.Transport.Grpc;
using Postrider.Transports;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Grpc;

/// <summary>The inbox as another program sees it: gRPC's own client, with the code that protoc writes from the package's file.</summary>
public sealed class GrpcInboxTests(GrpcHarness harness) : IClassFixture<GrpcHarness>, IDisposable
{
    private readonly GrpcChannel _channel = GrpcChannel.ForAddress(harness.Address, new GrpcChannelOptions { MaxSendMessageSize = null });

    private CancellationToken Ct { get; } = new CancellationTokenSource(TimeSpan.FromSeconds(45)).Token;

    private Inbox.InboxClient Client => new(_channel);

    public void Dispose() => _channel.Dispose();

    public static TheoryData<string, StatusCode, string, string> Wrong => new()
    {
        { "unknown", StatusCode.NotFound, "NoListener", "There is no listener at 'nowhere'." },
        { "line", StatusCode.InvalidArgument, "Unreadable", "The value of header 'Colour' contains a line break." },
        { "id", StatusCode.InvalidArgument, "Unreadable", "The value of header 'Postrider-Message-Id' contains a line break." },
        { "name", StatusCode.InvalidArgument, "Unreadable", "Header name 'Co:lour' contains a colon or a line break." },
        { "empty", StatusCode.InvalidArgument, "Unreadable", "empty" },
        { "time", StatusCode.InvalidArgument, "Unreadable", "The field 'expires_at' has 9223372036854775807 seconds" },
        { "nanos", StatusCode.InvalidArgument, "Unreadable", "The field 'deadline' has 0 seconds and -1 nanoseconds" },
        { "large", StatusCode.ResourceExhausted, "TooLarge", "Body of 262145 bytes exceeds the limit of 262144 bytes." },
        { "huge", StatusCode.ResourceExhausted, "", "maximum" },
    };

    [Theory]
    [MemberData(nameof(Wrong))]
    public async Task Message_that_is_wrong_is_refused_with_what_is_wrong_and_the_next_one_is_taken(string what, StatusCode status, string error, string words)
    {
        var destination = TransportHarness.NewName();
        await using var listener = await ListenAsync(destination, static _ => { });
        var message = new Message { Destination = destination };
        switch (what)
        {
            case "unknown": message.Destination = "nowhere"; break;
            case "line": message.Headers.Add(new Header { Name = "Colour", Value = "blue\r\nred" }); break;
            case "id": message.MessageId = "a\nb"; break;
            case "name": message.Headers.Add(new Header { Name = "Co:lour", Value = "blue" }); break;
            case "empty": message.Headers.Add(new Header { Value = "blue" }); break;
            case "time": message.ExpiresAt = new Timestamp { Seconds = long.MaxValue }; break;
            case "nanos": message.Deadline = new Timestamp { Nanos = -1 }; break;
            case "large": message.Body = ByteString.CopyFrom(new byte[(256 * 1024) + 1]); break;
            default: message.Body = ByteString.CopyFrom(new byte[1024 * 1024]); break;
        }

        var refused = await Assert.ThrowsAsync<RpcException>(async () => await Client.SendAsync(message, cancellationToken: Ct));
        await Client.SendAsync(new Message { Destination = destination }, cancellationToken: Ct);

        Assert.Equal((status, error), (refused.StatusCode, refused.Trailers.GetValue("postrider-error") ?? ""));
        Assert.Contains(words, refused.Status.Detail, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("3", 4)]
    [InlineData("0", 1)]
    [InlineData("-7", 1)]
    [InlineData("three", 1)]
    [InlineData("99999999999999999999", 1)]
    [InlineData("9000000000000000000", 1_000_001)]
    public async Task Attempts_are_those_of_the_metadata_and_a_failure_says_when_the_next_one_is_due(string previous, long attempt)
    {
        var destination = TransportHarness.NewName();
        var seen = 0L;
        await using var listener = await ListenAsync(destination, envelope =>
        {
            seen = envelope.Delivery!.Count;
            throw new InvalidOperationException("The database at db-7 is down.");
        }, 2_000_000);

        var failed = await Assert.ThrowsAsync<RpcException>(async () => await Client.SendAsync(new Message { Destination = destination }, new Metadata { { "grpc-previous-rpc-attempts", previous } }, cancellationToken: Ct));

        Assert.Equal((attempt, StatusCode.Unavailable), (seen, failed.StatusCode));
        Assert.InRange(int.Parse(failed.Trailers.GetValue("grpc-retry-pushback-ms")!, System.Globalization.CultureInfo.InvariantCulture), 0, 101);
        Assert.DoesNotContain("db-7", failed.Status.Detail, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Message_that_is_given_up_without_a_place_for_dead_letters_stays_with_its_sender()
    {
        var destination = TransportHarness.NewName();
        await using var listener = await ListenAsync(destination, static _ => throw new PostriderException(PostriderError.Refused, "no such article"));

        var failed = await Assert.ThrowsAsync<RpcException>(async () => await Client.SendAsync(new Message { Destination = destination }, cancellationToken: Ct));

        Assert.Equal((StatusCode.InvalidArgument, "Final"), (failed.StatusCode, failed.Trailers.GetValue("postrider-error")));
        Assert.Contains("no such article", failed.Status.Detail, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Receipt_names_the_reason_of_a_dead_letter()
    {
        var (destination, dead) = (TransportHarness.NewName(), TransportHarness.NewName());
        var letters = new ConcurrentQueue<Envelope>();
        await using var kept = await ListenAsync(dead, letters.Enqueue);
        await using var listener = await harness.Grpc.ListenAsync(new GrpcBinding(destination) { DeadLetter = dead }, static (_, _) => throw new PostriderException(PostriderError.Refused, "no"), Ct);

        var receipt = await Client.SendAsync(new Message { Destination = destination, MessageId = "m" }, cancellationToken: Ct);

        Assert.Equal(("Final", false, 0), (receipt.DeadLetter, receipt.Stored, receipt.Status));
        Assert.Equal(("m", "Final"), (Assert.Single(letters).Headers[HeaderNames.MessageId], letters.First().Headers[DeadLetterHeaders.Reason]));
    }

    [Fact]
    public async Task Batch_has_a_receipt_for_each_message_and_goes_on_behind_a_failure()
    {
        var destination = TransportHarness.NewName();
        await using var listener = await ListenAsync(destination, static envelope =>
        {
            if (envelope.Body.Length == 0)
                throw new PostriderException(PostriderError.Refused, "empty");
        });
        using var batch = Client.SendBatch(cancellationToken: Ct);
        for (var i = 0; i < 200; i++)
            await batch.RequestStream.WriteAsync(new Message { Destination = i == 50 ? "nowhere" : destination, Body = ByteString.CopyFrom(new byte[i == 100 ? 0 : 1]) }, Ct);
        await batch.RequestStream.CompleteAsync();

        var receipts = await batch.ResponseStream.ReadAllAsync(Ct).ToListAsync(Ct);

        Assert.Equal(Enumerable.Range(0, 200).Select(static i => (long)i), receipts.Select(static receipt => receipt.Index).Order());
        Assert.Equal([(50L, 5, "NoListener"), (100L, 3, "Final")], receipts.Where(static receipt => receipt.Status != 0).OrderBy(static receipt => receipt.Index).Select(static receipt => (receipt.Index, receipt.Status, receipt.ErrorCode)));
    }

    [Fact]
    public async Task Batch_whose_caller_goes_ends_and_its_places_are_free()
    {
        var destination = TransportHarness.NewName();
        var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var listener = await harness.Grpc.ListenAsync(
            new GrpcBinding(destination) { MaxConcurrency = 1 },
            async (envelope, _) =>
            {
                if (envelope.Body.Length == 0)
                {
                    begun.TrySetResult();
                    await release.Task;
                }

                return null;
            },
            Ct);
        using (var gone = Client.SendBatch(cancellationToken: Ct))
        {
            for (var i = 0; i < 10; i++)
                await gone.RequestStream.WriteAsync(new Message { Destination = destination }, Ct);
            await begun.Task.WaitAsync(Ct);
        }

        release.SetResult();
        await Client.SendAsync(new Message { Destination = destination, Body = ByteString.CopyFrom(1) }, cancellationToken: Ct);
    }

    [Fact]
    public async Task Message_without_a_destination_asks_whether_the_inbox_answers()
        => Assert.Equal(new Receipt(), await Client.SendAsync(new Message(), cancellationToken: Ct));

    private ValueTask<IAsyncDisposable> ListenAsync(string destination, Action<Envelope> handle, int maxAttempts = 3)
        => harness.Grpc.ListenAsync(
            new GrpcBinding(destination) { Retry = TransportHarness.Quick with { MaxAttempts = maxAttempts } },
            (envelope, _) =>
            {
                handle(envelope);
                return default;
            },
            Ct);
}
