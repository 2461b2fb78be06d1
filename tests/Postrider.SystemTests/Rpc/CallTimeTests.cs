using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>Times that a caller may state by mistake or on purpose, whatever carries the call.</summary>
public sealed class CallTimeTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Theory]
    [MemberData(nameof(DeskTransports.All), MemberType = typeof(DeskTransports))]
    public async Task Time_without_an_end_is_no_limit(string transport)
    {
        await using var transports = new DeskTransports();
        await using var channel = await transports.StartAsync(transport, DeskContract.Serve(new Desk()));
        var client = new DeskClient(channel);

        foreach (var time in new[] { Timeout.InfiniteTimeSpan, TimeSpan.MaxValue, TimeSpan.FromDays(60) })
            Assert.StartsWith("none ", await client.EchoHeadersAsync("a", new CallContext { Timeout = time }).AsTask().WaitAsync(Patience), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(DeskTransports.All), MemberType = typeof(DeskTransports))]
    public async Task Stream_without_an_end_of_its_time_goes_on(string transport)
    {
        await using var transports = new DeskTransports();
        await using var channel = await transports.StartAsync(transport, DeskContract.Serve(new Desk()));
        var client = new DeskClient(channel);

        foreach (var time in new[] { Timeout.InfiniteTimeSpan, TimeSpan.MaxValue, TimeSpan.FromDays(60) })
            Assert.Equal([1, 2, 3], await client.TickAsync(new CallContext { Timeout = time }).Take(3).ToListAsync().AsTask().WaitAsync(Patience));
    }

    [Theory]
    [MemberData(nameof(DeskTransports.All), MemberType = typeof(DeskTransports))]
    public async Task Call_whose_time_is_over_before_it_begins_is_not_sent(string transport)
    {
        var desk = new Desk();
        await using var transports = new DeskTransports();
        await using var channel = await transports.StartAsync(transport, DeskContract.Serve(desk));
        var client = new DeskClient(channel);
        await client.CountAsync();

        foreach (var time in new[] { TimeSpan.Zero, TimeSpan.FromSeconds(-5), TimeSpan.MinValue })
        {
            var failure = await Assert.ThrowsAsync<RpcException>(() => client.WaitInTimeAsync(new CallContext { Timeout = time }).AsTask().WaitAsync(Patience));
            Assert.Equal((RpcStatus.DeadlineExceeded, "desk/WaitInTime exceeded its deadline."), (failure.Status, failure.Message));
            failure = await Assert.ThrowsAsync<RpcException>(() => client.TickAsync(new CallContext { Timeout = time }).ToListAsync().AsTask().WaitAsync(Patience));
            Assert.Equal((RpcStatus.DeadlineExceeded, "desk/Tick exceeded its deadline."), (failure.Status, failure.Message));
        }

        Assert.Equal(0, desk.Events.Reader.Count);
    }

    // Over NATS the operation would run on: it has no word for a caller that gave up.
    [Theory]
    [InlineData("process")]
    [InlineData("socket")]
    [InlineData("http")]
    [InlineData("websocket")]
    [InlineData("grpc")]
    public async Task Callers_token_is_named_by_the_exception(string transport)
    {
        var desk = new Desk();
        await using var transports = new DeskTransports();
        await using var channel = await transports.StartAsync(transport, DeskContract.Serve(desk));
        var client = new DeskClient(channel);
        using var end = new CancellationTokenSource();
        var waiting = client.WaitAsync(end.Token).AsTask();
        Assert.Equal("began", await desk.Events.Reader.ReadAsync().AsTask().WaitAsync(Patience));

        await end.CancelAsync();

        Assert.Equal(end.Token, (await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.WaitAsync(Patience))).CancellationToken);
        Assert.Equal(end.Token, (await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await client.WaitAsync(end.Token))).CancellationToken);
        Assert.Equal(end.Token, (await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await client.CountToAsync(3, end.Token).ToListAsync())).CancellationToken);
        Assert.Equal(end.Token, (await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await client.CountToAsync(3).ToListAsync(end.Token))).CancellationToken);
    }
}
