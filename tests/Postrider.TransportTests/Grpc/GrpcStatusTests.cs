using Grpc.Core;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Postrider.Transport.Grpc;
using Postrider.Transports;

namespace Postrider.TransportTests.Grpc;

/// <summary>What a sender makes of each status.</summary>
public sealed class GrpcStatusTests : IAsyncLifetime
{
    private StatusServer _server = null!;
    private GrpcTransport _transport = null!;

    private CancellationToken Ct { get; } = new CancellationTokenSource(TimeSpan.FromSeconds(45)).Token;

    public async ValueTask InitializeAsync()
    {
        _server = await StatusServer.StartAsync();
        _transport = new(new GrpcOptions { Address = _server.Address, Retry = new() { SendAttempts = 3, MaxPause = TimeSpan.FromMilliseconds(5) } });
    }

    public async ValueTask DisposeAsync()
    {
        await _transport.DisposeAsync();
        await _server.DisposeAsync();
    }

    [Theory]
    [InlineData(3, "Unreadable", PostriderError.Codec, 1)]
    [InlineData(3, "Exhausted", PostriderError.Refused, 1)]
    [InlineData(3, null, PostriderError.Refused, 1)]
    [InlineData(5, "NoListener", PostriderError.NoListener, 1)]
    [InlineData(5, null, PostriderError.Remote, 1)]
    [InlineData(7, null, PostriderError.Configuration, 1)]
    [InlineData(8, "QueueFull", PostriderError.QueueFull, 3)]
    [InlineData(8, "TooLarge", PostriderError.TooLarge, 1)]
    [InlineData(8, null, PostriderError.Remote, 3)]
    [InlineData(12, null, PostriderError.Refused, 1)]
    [InlineData(13, "Internal", PostriderError.Remote, 1)]
    [InlineData(16, null, PostriderError.Configuration, 1)]
    public async Task Status_is_an_error_with_its_detail(int status, string? error, PostriderError expected, int calls)
    {
        (_server.Status, _server.Error) = (status, error);

        var failed = await Assert.ThrowsAnyAsync<PostriderException>(async () => await _transport.OpenSender("orders").SendAsync(default, default, Ct));

        Assert.Equal((expected, calls), (failed.Error, _server.Calls));
        Assert.Contains(expected == PostriderError.NoListener ? "'orders'" : "so it is", failed.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Server_that_is_not_available_is_asked_again_and_then_its_own_failure_is_passed_on()
    {
        _server.Status = 14;

        var failed = await Assert.ThrowsAsync<RpcException>(async () => await _transport.OpenSender("orders").SendAsync(default, default, Ct));

        Assert.Equal((StatusCode.Unavailable, 3), (failed.StatusCode, _server.Calls));
        Assert.Equal(HealthStatus.Degraded, (await _transport.CheckHealthAsync(Ct)).Status);
    }

    [Fact]
    public async Task Deadline_that_passes_is_a_timeout()
    {
        _server.Status = 4;

        var late = await Assert.ThrowsAsync<TimeoutException>(async () => await _transport.OpenSender("orders").SendAsync(default, default, Ct));

        Assert.Contains("'orders'", late.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(7)]
    [InlineData(16)]
    public async Task Refused_credentials_stop_the_transport_until_a_probe_succeeds(int status)
    {
        _server.Status = status;
        var sender = _transport.OpenSender("orders");
        for (var i = 0; i < 3; i++)
        {
            var refused = await Assert.ThrowsAsync<PostriderException>(async () => await sender.SendAsync(default, default, Ct));
            Assert.Contains("rejected the credentials", refused.Message, StringComparison.Ordinal);
        }

        Assert.Equal(1, _server.Calls);
        Assert.Equal(HealthStatus.Unhealthy, (await _transport.CheckHealthAsync(Ct)).Status);

        _server.Status = 0;
        Assert.Equal(HealthStatus.Healthy, (await _transport.CheckHealthAsync(Ct)).Status);
        await sender.SendAsync(default, default, Ct);
        Assert.Equal(4, _server.Calls);
    }

    [Fact]
    public async Task Server_that_is_gone_is_no_attempt_of_the_message()
    {
        await using var gone = new GrpcTransport(new GrpcOptions { Address = new Uri("http://127.0.0.1:9"), Retry = new() { SendAttempts = 2, MaxPause = TimeSpan.FromMilliseconds(5) } });

        var failed = await Assert.ThrowsAsync<RpcException>(async () => await gone.OpenSender("orders").SendAsync(default, default, Ct));

        Assert.Equal(StatusCode.Unavailable, failed.StatusCode);
        Assert.Equal(HealthStatus.Degraded, (await gone.CheckHealthAsync(Ct)).Status);
    }
}
