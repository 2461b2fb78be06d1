using System.Diagnostics;
using Postrider.Client;

namespace Postrider.InteropTests.Client;

public abstract class RequestTests(IServerFixture fixture)
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(10);

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;

    [Fact]
    public async Task Request_gets_its_reply_with_headers()
    {
        await using var client = await fixture.ConnectAsync();
        await using var service = client.Subscribe<string>("upper", (message, ct) =>
            message.ReplyAsync(message.Data.ToUpperInvariant(), new NatsHeaders { ["Was"] = message.Data }, ct: ct));

        var reply = await client.RequestAsync<string, string>("upper", "loud", ct: _ct);

        Assert.Equal("LOUD", reply.Data);
        Assert.Equal("loud", reply.Headers!["Was"]);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Thousand_requests_at_once_get_their_own_replies(bool inline)
    {
        await using var client = await fixture.ConnectAsync(options => options.ContinueOnReceiveThread = inline);
        await using var service = client.SubscribeRaw($"echo.{inline}", message => message.Reply(message.Payload));

        var replies = await Task.WhenAll(Enumerable.Range(0, 1000).Select(async i => (await client.RequestAsync<int, int>($"echo.{inline}", i, ct: _ct)).Data));

        Assert.Equal(Enumerable.Range(0, 1000), replies);
    }

    [Fact]
    public async Task Request_that_nobody_hears_fails_at_once()
    {
        await using var client = await fixture.ConnectAsync(options => options.RequestTimeout = TimeSpan.FromMinutes(5));
        var clock = Stopwatch.StartNew();

        var error = await Assert.ThrowsAsync<NatsNoRespondersException>(async () => await client.RequestAsync<string, string>("nobody.there", "x", ct: _ct));

        Assert.Equal("nobody.there", error.Subject);
        Assert.Equal(NatsErrorCode.NoResponders, error.Code);
        Assert.True(clock.Elapsed < TimeSpan.FromMinutes(4), "It waited for the timeout.");
    }

    [Fact]
    public async Task Request_without_reply_times_out()
    {
        await using var client = await fixture.ConnectAsync();
        await using var silent = client.Subscribe<string>("silent");

        var error = await Assert.ThrowsAsync<NatsClientException>(async () => await client.RequestAsync<string, string>("silent", "x", TimeSpan.FromMilliseconds(100), ct: _ct));

        Assert.Equal(NatsErrorCode.RequestTimeout, error.Code);
        Assert.Equal("No reply to the request on 'silent' arrived within 0.1 s.", error.Message);
    }

    [Fact]
    public async Task Request_can_be_cancelled_and_a_late_reply_does_no_harm()
    {
        await using var client = await fixture.ConnectAsync();
        await using var late = client.Subscribe<string>("late");
        using var cancellation = new CancellationTokenSource();

        var request = client.RequestAsync<string, string>("late", "x", ct: cancellation.Token).AsTask();
        var asked = await late.ReadAsync(_ct);
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => request);
        await asked.ReplyAsync("too late", ct: _ct);
        await client.FlushAsync(_ct);
        var next = client.RequestAsync<string, string>("late", "y", ct: _ct).AsTask();
        await (await late.ReadAsync(_ct)).ReplyAsync("in time", ct: _ct);

        Assert.Equal("in time", (await next).Data);
    }

    [Fact]
    public async Task Many_replies_end_at_their_number()
    {
        await using var client = await fixture.ConnectAsync();
        await using var first = client.SubscribeRaw("many", message => message.Reply("1"u8));
        await using var second = client.SubscribeRaw("many", message => message.Reply("2"u8));
        await using var third = client.SubscribeRaw("many", message => message.Reply("3"u8));

        var replies = new List<int>();
        await foreach (var reply in client.RequestManyAsync<string, int>("many", "?", new RequestManyOptions { MaxReplies = 3 }, ct: _ct)) replies.Add(reply.Data);

        Assert.Equal([1, 2, 3], replies.Order());
    }

    [Fact]
    public async Task Many_replies_end_when_it_stays_quiet()
    {
        await using var client = await fixture.ConnectAsync();
        await using var first = client.SubscribeRaw("quiet", message => message.Reply("1"u8));
        var clock = Stopwatch.StartNew();

        var replies = new List<int>();
        await foreach (var reply in client.RequestManyAsync<string, int>("quiet", "?", new RequestManyOptions { Idle = TimeSpan.FromMilliseconds(100), Timeout = TimeSpan.FromMinutes(5) }, ct: _ct)) replies.Add(reply.Data);

        Assert.Equal([1], replies);
        Assert.True(clock.Elapsed < TimeSpan.FromMinutes(4), "It waited for the timeout.");
    }

    [Fact]
    public async Task Many_replies_with_an_idle_time_of_zero_do_not_end_by_silence()
    {
        await using var client = await fixture.ConnectAsync();
        var isRead = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var service = client.Subscribe<string>("pausing", async (message, ct) =>
        {
            await message.ReplyAsync(1, ct: ct);
            await isRead.Task.WaitAsync(ct);
            await message.ReplyAsync(2, ct: ct);
        });

        var replies = new List<int>();
        await foreach (var reply in client.RequestManyAsync<string, int>("pausing", "?", new RequestManyOptions { Idle = TimeSpan.Zero, MaxReplies = 2 }, ct: _ct))
        {
            replies.Add(reply.Data);
            _ = client.FlushAsync(_ct).ContinueWith(_ => isRead.TrySetResult(), TaskScheduler.Default);
        }

        Assert.Equal([1, 2], replies);
    }

    [Fact]
    public async Task Many_replies_end_at_the_empty_one()
    {
        await using var client = await fixture.ConnectAsync();
        await using var service = client.Subscribe<string>("pages", async (message, ct) =>
        {
            for (var page = 0; page < 5; page++) await message.ReplyAsync(page, ct: ct);
            await message.ReplyAsync(ct: ct);
        });

        var replies = new List<int>();
        await foreach (var reply in client.RequestManyAsync<string, int>("pages", "?", new RequestManyOptions { EmptyReplyEnds = true }, ct: _ct)) replies.Add(reply.Data);

        Assert.Equal([0, 1, 2, 3, 4], replies);
    }

    [Fact]
    public async Task Many_replies_of_nobody_fail_at_once()
    {
        await using var client = await fixture.ConnectAsync();

        await Assert.ThrowsAsync<NatsNoRespondersException>(async () =>
        {
            await foreach (var reply in client.RequestManyAsync<string, int>("nobody.many", "?", ct: _ct)) Assert.Fail($"A reply came: {reply.Data}");
        });
    }

    [Fact]
    public async Task Requests_that_wait_fail_when_the_client_closes()
    {
        var client = await fixture.ConnectAsync();
        await using var silent = client.Subscribe<string>("forever");
        var request = client.RequestAsync<string, string>("forever", "x", ct: _ct).AsTask();

        await client.DisposeAsync();

        Assert.Equal(NatsErrorCode.ClientClosed, (await Assert.ThrowsAsync<NatsClientException>(() => request)).Code);
        Assert.Equal(ConnectionState.Closed, client.State);
    }
}
