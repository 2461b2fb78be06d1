using Postrider.Rpc;
using Postrider.Rpc.Sockets;

namespace Postrider.UnitTests.Rpc.Sockets;

/// <summary>The time of a call, to the millisecond, on a clock that stands still.</summary>
public sealed class CallTimeoutTests : IAsyncLifetime
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(5);

    private readonly TestClock _clock = new();
    private readonly Slow _slow = new();
    private readonly ConnectionServer _host;
    private readonly SocketChannel _channel;
    private readonly SlowClient _client;

    public CallTimeoutTests()
    {
        var codec = new RpcMessagePackCodec();
        _host = new ConnectionServer([codec], [SlowContract.Serve(_slow)], new SocketServerOptions { DrainTimeout = TimeSpan.Zero });
        _channel = new SocketChannel(new MemoryFrameTransports(_host), codec, new SocketChannelOptions { Timeout = Limit, TimeProvider = _clock });
        _client = new SlowClient(_channel);
    }

    public ValueTask InitializeAsync() => default;

    public async ValueTask DisposeAsync()
    {
        await _channel.DisposeAsync();
        await _host.DisposeAsync();
    }

    [Fact]
    public async Task Call_fails_when_its_time_is_over_and_not_a_millisecond_before()
    {
        var call = await BeginAsync(1, null, Limit);

        _clock.Advance(Limit - TimeSpan.FromMilliseconds(1));
        Assert.False(call.IsCompleted);
        _clock.Advance(TimeSpan.FromMilliseconds(1));

        Assert.Equal(RpcStatus.DeadlineExceeded, (await Assert.ThrowsAsync<RpcException>(() => call.WaitAsync(Patience))).Status);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(250)]
    [InlineData(60_000)]
    public async Task Time_that_a_call_is_given_holds_in_place_of_the_channels(int milliseconds)
    {
        var time = TimeSpan.FromMilliseconds(milliseconds);
        var call = await BeginAsync(1, new CallContext { Timeout = time }, time);

        _clock.Advance(time - TimeSpan.FromMilliseconds(1));
        Assert.False(call.IsCompleted);
        _clock.Advance(TimeSpan.FromMilliseconds(1));

        Assert.Equal(RpcStatus.DeadlineExceeded, (await Assert.ThrowsAsync<RpcException>(() => call.WaitAsync(Patience))).Status);
    }

    [Fact]
    public async Task Each_call_has_its_own_time()
    {
        var first = await BeginAsync(1, null, Limit);
        _clock.Advance(TimeSpan.FromSeconds(3));
        var second = await BeginAsync(2, null, TimeSpan.FromSeconds(2));

        _clock.Advance(TimeSpan.FromSeconds(2));
        await Assert.ThrowsAsync<RpcException>(() => first.WaitAsync(Patience));
        Assert.False(second.IsCompleted);
        _slow.Answer(2);

        Assert.Equal(2, await second.WaitAsync(Patience));
    }

    [Fact]
    public async Task Answer_that_comes_too_late_is_nobody_elses()
    {
        for (var number = 1; number <= 20; number++)
        {
            var late = await BeginAsync(number, null, Limit);
            _clock.Advance(Limit);
            await Assert.ThrowsAsync<RpcException>(() => late.WaitAsync(Patience));
            _slow.Answer(number);
        }

        var calls = new List<Task<int>>();
        for (var number = 100; number < 120; number++)
            calls.Add(await BeginAsync(number, null, Limit));
        for (var number = 119; number >= 100; number--)
            _slow.Answer(number);

        Assert.Equal(Enumerable.Range(100, 20), await Task.WhenAll(calls).WaitAsync(Patience));
    }

    private async Task<Task<int>> BeginAsync(int number, CallContext? context, TimeSpan untilNext)
    {
        var call = _client.AnswerAsync(number, context).AsTask();
        Assert.Equal(number, await _slow.Asked.Reader.ReadAsync().AsTask().WaitAsync(Patience));

        // The message may be there before the caller has set its timer.
        await Eventually.HoldsAsync(() => _clock.UntilNextTimer == untilNext);
        return call;
    }
}
