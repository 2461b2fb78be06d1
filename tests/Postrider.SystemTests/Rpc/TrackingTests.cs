using Microsoft.Extensions.Time.Testing;
using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>What a tracker is told of calls, whatever carries them.</summary>
public sealed class TrackingTests
{
    [Theory]
    [MemberData(nameof(DeskTransports.All), MemberType = typeof(DeskTransports))]
    public async Task Both_ends_know_a_call_by_one_id(string transport)
    {
        var (callers, servers) = (new CallTracker(), new CallTracker());
        var transports = new DeskTransports();
        await using var channel = (await transports.StartAsync(transport, DeskContract.Serve(new Desk()).WithTracking(servers))).WithTracking(callers);
        var client = new DeskClient(channel);

        Assert.Equal("aa", await client.JoinAsync("a", 2));
        await Assert.ThrowsAsync<RpcFaultException<SoldOut>>(async () => await client.BuyAsync(101));
        Assert.Equal([1, 2, 3], await client.CountToAsync(3).ToListAsync());

        // The server's end of a call may come after the caller's.
        await servers.WaitForIdleAsync().WaitAsync(TimeSpan.FromSeconds(30));
        await transports.DisposeAsync();
        (string, RpcStatus?, long)[] expected = [("desk/Join", RpcStatus.Ok, 0), ("desk/Buy", RpcStatus.Fault, 0), ("desk/CountTo", RpcStatus.Ok, 3)];
        Assert.Equal(expected, callers.Recent.Select(c => (c.Operation, c.Status, c.Items)));
        Assert.Equal(expected, servers.Recent.Select(c => (c.Operation, c.Status, c.Items)));
        Assert.Equal(callers.Recent.Select(c => c.MessageId), servers.Recent.Select(c => c.MessageId));
        Assert.Equal(3, callers.Recent.Select(c => c.MessageId).Distinct().Count());
        Assert.All(callers.Recent, c => Assert.Equal(CallSide.Caller, c.Side));
        Assert.All(servers.Recent, c => Assert.Equal(CallSide.Server, c.Side));
        Assert.Equal("Only 100 are left.", callers.Recent[1].Failure?.Message);
        Assert.Equal((0, 0), (callers.Count, servers.Count));
    }

    [Theory]
    [InlineData("process")]
    [InlineData("socket")]
    [InlineData("http")]
    [InlineData("grpc")]
    public async Task A_call_can_be_given_up_at_the_server(string transport)
    {
        var servers = new CallTracker();
        var desk = new Desk();
        await using var transports = new DeskTransports();
        await using var channel = await transports.StartAsync(transport, DeskContract.Serve(desk).WithTracking(servers));
        var waiting = new DeskClient(channel).WaitAsync().AsTask();
        Assert.Equal("began", await desk.Events.Reader.ReadAsync());

        var call = Assert.Single(servers.Current);
        var idle = servers.WaitForIdleAsync();
        Assert.Equal(("desk/Wait", false, null), (call.Operation, idle.IsCompleted, call.Status));
        Assert.True(call.Cancel());

        Assert.Equal("cancelled", await desk.Events.Reader.ReadAsync());
        await idle;
        var failure = await Assert.ThrowsAnyAsync<Exception>(() => waiting);
        Assert.True(failure is OperationCanceledException or RpcException { Status: RpcStatus.Cancelled }, failure.ToString());
        Assert.Equal(RpcStatus.Cancelled, call.Status);
        Assert.False(call.Cancel());
    }

    [Fact]
    public async Task What_a_call_does_when_it_is_given_up_is_no_failure_of_whoever_gives_it_up()
    {
        var calls = new CallTracker();
        var began = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var never = new TaskCompletionSource<int>();
        var endpoint = new OperationEndpoint<int, Unit, int>(
            new Operation<int, Unit, int>("a", "B", OperationKind.Unary, SpecialParameters.Token, static codec => codec.GetFormatter<int>()),
            (_, _, _, ct) =>
            {
                ct.Register(() => throw new InvalidOperationException("A callback."));
                began.SetResult();
                return new(never.Task.WaitAsync(ct));
            });
        await using var channel = new InProcessChannel(new RpcService("a", "1.0.0", endpoint).WithTracking(calls));
        var waiting = channel.Bind(endpoint.Contract).CallAsync(1, null, null, CancellationToken.None).AsTask();
        await began.Task;

        Assert.True(Assert.Single(calls.Current).Cancel());

        await Assert.ThrowsAnyAsync<Exception>(() => waiting);
        await calls.WaitForIdleAsync();
    }

    [Fact]
    public async Task A_call_can_be_given_up_at_the_caller()
    {
        var callers = new CallTracker();
        var desk = new Desk();
        await using var transports = new DeskTransports();
        await using var channel = (await transports.StartAsync("socket", DeskContract.Serve(desk))).WithTracking(callers);
        var waiting = new DeskClient(channel).WaitAsync().AsTask();
        Assert.Equal("began", await desk.Events.Reader.ReadAsync());

        Assert.True(Assert.Single(callers.Current).Cancel());

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        Assert.Equal("cancelled", await desk.Events.Reader.ReadAsync());
        Assert.Equal(RpcStatus.Cancelled, Assert.Single(callers.Recent).Status);
    }

    [Fact]
    public async Task A_caller_names_its_call_itself_and_both_ends_are_found_by_it()
    {
        var tracker = new CallTracker();
        var client = new DeskClient(new InProcessChannel(DeskContract.Serve(new Desk()).WithTracking(tracker)).WithTracking(tracker));
        var context = new CallContext { Timeout = TimeSpan.FromSeconds(20) };
        context.Headers[RpcTracking.MessageId] = "order-7";

        Assert.StartsWith("order-7", await client.EchoHeadersAsync(RpcTracking.MessageId, context));

        Assert.Equal([CallSide.Server, CallSide.Caller], tracker.Find("order-7").Select(c => c.Side));
        Assert.All(tracker.Find("order-7"), c => Assert.True(c.Timeout is { } time && time > TimeSpan.Zero && time <= TimeSpan.FromSeconds(20)));
        Assert.Empty(tracker.Find("order-8"));
    }

    [Fact]
    public async Task A_stream_that_is_left_was_given_up()
    {
        var callers = new CallTracker();
        var client = new DeskClient(new InProcessChannel(DeskContract.Serve(new Desk())).WithTracking(callers));

        await foreach (var item in client.CountToAsync(5))
        {
            if (item == 2)
                break;
        }

        var call = Assert.Single(callers.Recent);
        Assert.Equal((RpcStatus.Cancelled, 2L), (call.Status, call.Items));
    }

    [Fact]
    public async Task A_stream_that_fails_before_it_is_one_has_failed()
    {
        var servers = new CallTracker();
        var desk = DeskContract.Serve(new Desk());
        var closed = new RpcService(desk.Name, desk.Version, [.. desk.Operations.Where(o => o.Operation.Path == "desk/CountTo").Select(o => o.Accept(new Closed()))]);
        var client = new DeskClient(new InProcessChannel(closed.WithTracking(servers)));

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await client.CountToAsync(5).ToListAsync());

        Assert.Equal((RpcStatus.Unavailable, "closed"), (failure.Status, failure.Message));
        Assert.Equal(RpcStatus.Unavailable, Assert.Single(servers.Recent).Status);
    }

    [Fact]
    public async Task Durations_are_the_clocks_and_only_the_last_calls_are_kept()
    {
        var time = new FakeTimeProvider();
        var callers = new CallTracker { MaxRecent = 2 };
        var desk = new Desk();
        var client = new DeskClient(new InProcessChannel(DeskContract.Serve(desk)).WithTracking(callers, time));
        var began = time.GetUtcNow();
        using var cts = new CancellationTokenSource();
        var waiting = client.WaitAsync(cts.Token).AsTask();
        await desk.Events.Reader.ReadAsync();

        time.Advance(TimeSpan.FromSeconds(3));
        var call = Assert.Single(callers.Current);
        Assert.Equal((began, TimeSpan.FromSeconds(3)), (call.StartedAt, call.Duration));
        await client.CountAsync();
        await cts.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        time.Advance(TimeSpan.FromSeconds(3));

        Assert.Equal(TimeSpan.FromSeconds(3), call.Duration);
        Assert.Equal(["desk/Count", "desk/Wait"], callers.Recent.Select(c => c.Operation));
        await client.CountAsync();
        Assert.Equal(["desk/Wait", "desk/Count"], callers.Recent.Select(c => c.Operation));
        Assert.Throws<ArgumentOutOfRangeException>(static () => new CallTracker { MaxRecent = -1 });
    }

    // Gives no stream to be read: it throws instead.
    private sealed class Closed : IEndpointVisitor<OperationEndpoint>
    {
        public OperationEndpoint Visit<TRequest, TItem, TResponse>(OperationEndpoint<TRequest, TItem, TResponse> endpoint)
        {
            return new OperationEndpoint<TRequest, TItem, TResponse>(endpoint.Contract, Refuse);

            static IAsyncEnumerable<TResponse> Refuse(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
                => throw new RpcException(RpcStatus.Unavailable, "closed");
        }
    }
}
