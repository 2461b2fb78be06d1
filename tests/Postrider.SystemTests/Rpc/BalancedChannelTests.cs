using System.Net;
using System.Net.Sockets;
using Postrider.Resilience;
using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>Which channel a call takes, and what is sent again.</summary>
public sealed class BalancedChannelTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private static readonly RpcMessagePackCodec Codec = new(DeskMessages.Default);
    private static readonly Ticket Ticket = new(Guid.Empty, "a", []);

    [Fact]
    public async Task Calls_go_to_every_channel()
    {
        Desk[] desks = [new(), new(), new()];
        await using var channel = new BalancedChannel([.. desks.Select(d => new InProcessChannel(DeskContract.Serve(d)))], new BalancedChannelOptions { Random = new Random(1) });
        var client = new DeskClient(channel);

        for (var i = 0; i < 300; i++)
            await client.OpenAsync(Ticket);

        var counts = await Task.WhenAll(desks.Select(d => d.CountAsync().AsTask()));
        Assert.Equal(300, counts.Sum());
        Assert.All(counts, count => Assert.InRange(count, 50, 200));
    }

    [Fact]
    public async Task Address_where_nobody_listens_is_passed_over_and_then_left_alone()
    {
        using var free = new Socket(SocketType.Stream, ProtocolType.Tcp);
        free.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        var desk = new Desk();
        await using var server = SocketServer.Start(new IPEndPoint(IPAddress.Loopback, 0), Codec, DeskContract.Serve(desk));
        await using var channel = new BalancedChannel(
            [new SocketChannel(free.LocalEndPoint!, Codec), new SocketChannel(server.EndPoint, Codec)],
            new BalancedChannelOptions { Random = new Random(1), Health = new CircuitBreakerOptions { FailureThreshold = 3, OpenTime = TimeSpan.FromHours(1) } });
        var client = new DeskClient(channel);

        for (var i = 0; i < 50; i++)
            await client.OpenAsync(Ticket);

        Assert.Equal(50, await desk.CountAsync());
        Assert.Equal(1, channel.HealthyCount);
    }

    [Fact]
    public async Task Stream_to_an_address_where_nobody_listens_goes_to_the_next()
    {
        using var free = new Socket(SocketType.Stream, ProtocolType.Tcp);
        free.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        await using var server = SocketServer.Start(new IPEndPoint(IPAddress.Loopback, 0), Codec, DeskContract.Serve(new Desk()));
        await using var channel = new BalancedChannel(
            [new SocketChannel(free.LocalEndPoint!, Codec), new SocketChannel(server.EndPoint, Codec)],
            new BalancedChannelOptions { Random = new Random(1), Health = new CircuitBreakerOptions { FailureThreshold = 3, OpenTime = TimeSpan.FromHours(1) } });
        var client = new DeskClient(channel);

        for (var i = 0; i < 20; i++)
        {
            Assert.Equal([1, 2, 3], await client.CountToAsync(3).ToListAsync().AsTask().WaitAsync(Patience));
            Assert.Equal(["A", "B"], await client.ShoutAsync(new[] { "a", "b" }.ToAsyncEnumerable()).ToListAsync().AsTask().WaitAsync(Patience));
            Assert.Equal([1, 2], await client.TickAsync(new CallContext { Timeout = TimeSpan.FromMinutes(1) }).Take(2).ToListAsync().AsTask().WaitAsync(Patience));
        }

        Assert.Equal(1, channel.HealthyCount);
    }

    [Fact]
    public async Task Stream_that_no_channel_takes_fails_with_the_last_reason()
    {
        using var free = new Socket(SocketType.Stream, ProtocolType.Tcp);
        free.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        await using var channel = new BalancedChannel([new SocketChannel(free.LocalEndPoint!, Codec), new SocketChannel(free.LocalEndPoint!, Codec)]);

        var failure = await Assert.ThrowsAsync<RpcException>(() => new DeskClient(channel).CountToAsync(3).ToListAsync().AsTask().WaitAsync(Patience));

        Assert.Equal(RpcStatus.Unavailable, failure.Status);
        Assert.Contains("cannot be reached", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Stream_that_broke_off_is_not_begun_again()
    {
        Desk[] desks = [new(), new()];
        await using var channel = new BalancedChannel([.. desks.Select(d => new InProcessChannel(DeskContract.Serve(d)))], new BalancedChannelOptions { Random = new Random(1) });
        var seen = new List<int>();

        var failure = await Assert.ThrowsAsync<RpcException>(async () =>
        {
            await foreach (var item in new DeskClient(channel).CountToAsync(20))
                seen.Add(item);
        });

        Assert.Equal((RpcStatus.InvalidData, 12), (failure.Status, seen.Count));
    }

    [Fact]
    public async Task Pause_that_outlasts_the_calls_time_is_not_begun()
    {
        var breaking = new BreakingChannel(new InProcessChannel(DeskContract.Serve(new Desk())), failures: 10);
        await using var channel = new BalancedChannel(
            [breaking], new BalancedChannelOptions { Retry = new RetryPolicy { MaxAttempts = 5, BaseDelay = TimeSpan.FromHours(1), MaxDelay = TimeSpan.FromHours(1), Backoff = Backoff.Constant }, Health = new CircuitBreakerOptions { FailureThreshold = 100 } });

        var failure = await Assert.ThrowsAsync<RpcException>(
            () => new DeskClient(channel).EchoHeadersAsync("a", new CallContext { Timeout = TimeSpan.FromMinutes(1) }).AsTask().WaitAsync(Patience));

        Assert.Equal((RpcStatus.DeadlineExceeded, "desk/EchoHeaders has no time for another attempt: The connection broke.", 1), (failure.Status, failure.Message, breaking.Calls));
    }

    [Fact]
    public async Task Nothing_that_is_healthy_is_unavailable()
    {
        using var free = new Socket(SocketType.Stream, ProtocolType.Tcp);
        free.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        await using var channel = new BalancedChannel(
            [new SocketChannel(free.LocalEndPoint!, Codec)], new BalancedChannelOptions { Health = new CircuitBreakerOptions { FailureThreshold = 1, OpenTime = TimeSpan.FromHours(1) } });
        var client = new DeskClient(channel);

        for (var i = 0; i < 3; i++)
            Assert.Equal(RpcStatus.Unavailable, (await Assert.ThrowsAsync<RpcException>(async () => await client.CountAsync())).Status);

        Assert.Equal(0, channel.HealthyCount);
    }

    [Fact]
    public async Task Idempotent_call_is_repeated()
    {
        var breaking = new BreakingChannel(new InProcessChannel(DeskContract.Serve(new Desk())), failures: 2);
        await using var channel = new BalancedChannel([breaking], Retrying());

        Assert.Equal("aa", await new DeskClient(channel).JoinAsync("a", 2));

        Assert.Equal(3, breaking.Calls);
    }

    [Fact]
    public async Task Idempotent_call_fails_when_the_policy_is_used_up()
    {
        var breaking = new BreakingChannel(new InProcessChannel(DeskContract.Serve(new Desk())), failures: 10);
        await using var channel = new BalancedChannel([breaking], Retrying());

        await Assert.ThrowsAsync<RpcException>(() => new DeskClient(channel).JoinAsync("a", 2));

        Assert.Equal(3, breaking.Calls);
    }

    [Fact]
    public async Task Other_call_is_sent_once()
    {
        var breaking = new BreakingChannel(new InProcessChannel(DeskContract.Serve(new Desk())), failures: 2);
        await using var channel = new BalancedChannel([breaking], Retrying());

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await new DeskClient(channel).OpenAsync(Ticket));

        Assert.Equal((RpcStatus.Unavailable, 1), (failure.Status, breaking.Calls));
    }

    [Fact]
    public async Task Fault_of_an_idempotent_call_is_final()
    {
        var breaking = new BreakingChannel(new InProcessChannel(DeskContract.Serve(new Desk())), failures: 0);
        await using var channel = new BalancedChannel([breaking], Retrying());

        await Assert.ThrowsAsync<RpcFaultException<SoldOut>>(async () => await new DeskClient(channel).PriceAsync(101));

        Assert.Equal(1, breaking.Calls);
    }

    [Fact]
    public async Task Call_that_takes_long_is_answered_by_another_channel_and_cancelled()
    {
        var stuck = new BreakingChannel(new InProcessChannel(DeskContract.Serve(new Desk())), failures: 0) { IsStuck = true };
        await using var channel = new BalancedChannel(
            [stuck, new InProcessChannel(DeskContract.Serve(new Desk()))],
            new BalancedChannelOptions { Hedge = new Hedge { Delay = TimeSpan.FromMilliseconds(10), MaxAttempts = 4 }, Random = new Random(1) });
        var client = new DeskClient(channel);

        for (var i = 0; i < 1000 && (i < 10 || stuck.Calls == 0); i++)
            Assert.Equal("aa", await client.JoinAsync("a", 2).WaitAsync(Patience));

        Assert.NotEqual(0, stuck.Calls);
        Assert.Equal(stuck.Calls, stuck.Cancelled);
    }

    [Fact]
    public async Task Headers_of_the_answer_that_counts_come_back()
    {
        var stuck = new BreakingChannel(new InProcessChannel(DeskContract.Serve(new Desk())), failures: 0) { IsStuck = true };
        await using var channel = new BalancedChannel(
            [stuck, new InProcessChannel(DeskContract.Serve(new Desk()))],
            new BalancedChannelOptions { Hedge = new Hedge { Delay = TimeSpan.FromMilliseconds(1), MaxAttempts = 8 }, Random = new Random(1) });
        var context = new CallContext { Timeout = TimeSpan.FromMinutes(1), Headers = { ["Tenant"] = "north" } };

        var answer = await new DeskClient(channel).EchoHeadersAsync("tenant", context).AsTask().WaitAsync(Patience);

        Assert.Equal(("north True", "desk"), (answer, context.ResponseHeaders["Served-By"]));
    }

    [Fact]
    public async Task Time_of_the_call_is_that_of_all_attempts()
    {
        var breaking = new BreakingChannel(new InProcessChannel(DeskContract.Serve(new Desk())), failures: int.MaxValue);
        await using var channel = new BalancedChannel(
            [breaking],
            new BalancedChannelOptions
            {
                Retry = new RetryPolicy { MaxAttempts = int.MaxValue, BaseDelay = TimeSpan.FromMilliseconds(10), Backoff = Backoff.Constant },
                Health = new CircuitBreakerOptions { FailureThreshold = int.MaxValue },
            });

        var failure = await Assert.ThrowsAsync<RpcException>(
            () => new DeskClient(channel).EchoHeadersAsync("a", new CallContext { Timeout = TimeSpan.FromMilliseconds(100) }).AsTask().WaitAsync(Patience));

        Assert.Equal(RpcStatus.DeadlineExceeded, failure.Status);
    }

    private static BalancedChannelOptions Retrying()
        => new() { Retry = new RetryPolicy { MaxAttempts = 3, BaseDelay = TimeSpan.Zero }, Health = new CircuitBreakerOptions { FailureThreshold = 100 } };
}
