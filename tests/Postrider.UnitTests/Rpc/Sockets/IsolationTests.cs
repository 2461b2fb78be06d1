using Postrider.Rpc;
using Postrider.Rpc.Sockets;

namespace Postrider.UnitTests.Rpc.Sockets;

/// <summary>What goes wrong in one operation reaches neither other calls nor the connection nor the process.</summary>
public sealed class IsolationTests : IAsyncLifetime
{
    private readonly TestClock _clock = new();
    private readonly Hoard _hoard = new();
    private readonly ConnectionServer _host;
    private readonly SocketChannel _channel;
    private readonly HoardClient _client;

    public IsolationTests()
    {
        var codec = new RpcMessagePackCodec();
        _host = new([codec], [HoardContract.Serve(_hoard)], new SocketServerOptions { DrainTimeout = TimeSpan.Zero, TimeProvider = _clock });
        _channel = new SocketChannel(new MemoryFrameTransports(_host), codec, new SocketChannelOptions { MaxConnections = 1, Limits = new() { MaxMessageBytes = 1024 } });
        _client = new(_channel);
    }

    public ValueTask InitializeAsync() => default;

    public async ValueTask DisposeAsync()
    {
        _hoard.Release();
        await _channel.DisposeAsync();
        await _host.DisposeAsync();
    }

    [Theory]
    [InlineData("unwritable", RpcStatus.Internal)]
    [InlineData("large", RpcStatus.TooLarge)]
    [InlineData("headers", RpcStatus.TooLarge)]
    public async Task Answer_that_cannot_be_sent_fails_its_call_alone(string how, RpcStatus status)
    {
        var other = _client.HoldAsync([1, 2, 3], TestContext.Current.CancellationToken).AsTask();

        var failure = await Assert.ThrowsAnyAsync<RpcException>(async () => await _client.FailAsync(how, new CallContext(), TestContext.Current.CancellationToken));
        _hoard.Release();

        Assert.Equal(status, failure.Status);
        Assert.Equal(3, await other);
    }

    [Fact]
    public async Task Headers_that_cannot_be_sent_fail_their_call_alone()
    {
        var context = new CallContext();
        for (var i = 0; i < 300; i++)
            context.Headers[$"h{i}"] = "v";

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await _client.FailAsync("not", context, TestContext.Current.CancellationToken));

        Assert.Equal(RpcStatus.TooLarge, failure.Status);
        Assert.Equal(3, await _client.FailAsync("not", new CallContext(), TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task Callback_of_a_token_that_throws_when_the_time_is_over_does_not_throw_in_the_clocks_timer()
    {
        var call = _client.FailAsync("callback", new CallContext { Timeout = TimeSpan.FromSeconds(5) }, TestContext.Current.CancellationToken).AsTask();
        Assert.Equal(3, await _client.FailAsync("not", new CallContext(), TestContext.Current.CancellationToken));
        await _hoard.Registered;

        _clock.Advance(TimeSpan.FromSeconds(6));
        _hoard.Release();

        Assert.Equal(1, await call);
    }
}
