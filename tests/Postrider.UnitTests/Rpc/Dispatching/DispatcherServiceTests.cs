using System.Security.Claims;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Middleware;
using Postrider.Resilience;
using Postrider.Rpc;
using Postrider.UnitTests.Dispatch;

namespace Postrider.UnitTests.Rpc.Dispatching;

public sealed class DispatcherServiceTests : IAsyncLifetime
{
    private readonly ServiceProvider _provider = new ServiceCollection()
        .AddPostrider(o => o.Replace<UnitQuery, int>((query, _) => query.Id < 0 ? throw Failure(query.Id) : new(query.Id + 100)))
        .BuildServiceProvider();

    private InProcessChannel _channel = null!;
    private DispatcherClient _client = null!;

    private IDispatcher Dispatcher => _provider.GetRequiredService<IDispatcher>();

    public ValueTask InitializeAsync()
    {
        var service = new DispatcherService(Dispatcher, "units", "1.0.0", new FaultDescription<UnitLoss>())
            .Request<UnitQuery, int>().Command<UnitCommand>().Notification<UnitAlone>().Stream<UnitNumbers, int>().Request<UnitOrigin, string>();
        _channel = new InProcessChannel(service.ToEndpoint());
        _client = new DispatcherClient(_channel, "units", new FaultDescription<UnitLoss>());
        return default;
    }

    public async ValueTask DisposeAsync()
    {
        await _channel.DisposeAsync();
        await _provider.DisposeAsync();
    }

    [Fact]
    public async Task Request_runs_through_the_dispatcher()
        => Assert.Equal(107, await _client.SendAsync<UnitQuery, int>(new UnitQuery(7)));

    [Theory]
    [InlineData(-1, RpcStatus.Busy, "Later.")]
    [InlineData(-2, RpcStatus.InvalidData, "The message is not valid: Id: It is -2.")]
    [InlineData(-3, RpcStatus.Forbidden, "The message was rejected.")]
    [InlineData(-4, RpcStatus.DeadlineExceeded, "The handler exceeded its deadline.")]
    [InlineData(-5, RpcStatus.Unavailable, "A dependency of the handler is unavailable.")]
    [InlineData(-6, RpcStatus.Busy, "The queue is full.")]
    [InlineData(-7, RpcStatus.Internal, "The operation failed.")]
    public async Task Failure_of_the_pipeline_has_a_status(int id, RpcStatus status, string message)
    {
        var failure = await Assert.ThrowsAsync<RpcException>(async () => await _client.SendAsync<UnitQuery, int>(new UnitQuery(id)));

        Assert.Equal((status, message), (failure.Status, failure.Message));
    }

    [Fact]
    public async Task Headers_and_the_time_reach_the_handlers_context()
    {
        var context = new CallContext { Timeout = TimeSpan.FromMinutes(5), Headers = { ["Tenant"] = "north", ["Postrider-Correlation-Id"] = "c-1" } };

        Assert.Equal("north c-1 True ", await _client.SendAsync<UnitOrigin, string>(new UnitOrigin(), context));
    }

    [Fact]
    public async Task Who_calls_reaches_the_handlers_context()
    {
        var user = new ClaimsPrincipal(new ClaimsIdentity([new Claim(ClaimTypes.Name, "ann")], "test"));

        Assert.EndsWith(" ann", await DispatcherCalls.SendAsync<string>(Dispatcher, new UnitOrigin(), new CallContext { User = user }, CancellationToken.None), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Fault_of_a_handler_arrives_with_its_detail()
    {
        var failure = await Assert.ThrowsAsync<RpcFaultException<UnitLoss>>(async () => await _client.SendAsync<UnitQuery, int>(new UnitQuery(-8)));

        Assert.Equal(new UnitLoss(8), failure.Detail);
    }

    [Fact]
    public async Task Command_and_notification_are_taken()
    {
        await _client.SendAsync(new UnitCommand(1));
        await _client.PublishAsync(new UnitAlone(1));

        Assert.Equal(100, await _client.SendAsync<UnitQuery, int>(new UnitQuery(0)));
    }

    [Fact]
    public async Task Stream_gives_the_handlers_items()
    {
        var here = await Dispatcher.StreamAsync(new UnitNumbers(3)).ToListAsync();

        Assert.NotEmpty(here);
        Assert.Equal(here, await _client.StreamAsync<UnitNumbers, int>(new UnitNumbers(3)).ToListAsync());
    }

    [Fact]
    public async Task Message_that_is_not_exposed_is_not_found()
    {
        var failure = await Assert.ThrowsAsync<RpcException>(async () => await _client.SendAsync<UnitPlainQuery, int>(new UnitPlainQuery(1)));

        Assert.Equal(RpcStatus.NotFound, failure.Status);
    }

    [Fact]
    public async Task Message_that_is_null_is_invalid()
    {
        var failure = await Assert.ThrowsAsync<RpcException>(async () => await _client.SendAsync<UnitQuery, int>(null!));

        Assert.Equal(RpcStatus.InvalidData, failure.Status);
    }

    [Fact]
    public void Message_is_exposed_once()
        => Assert.Throws<InvalidOperationException>(() => new DispatcherService(Dispatcher, "units").Command<UnitCommand>().Command<UnitCommand>());

    [Fact]
    public async Task Contract_is_served_by_the_dispatcher()
    {
        await using var channel = new InProcessChannel(UnitContractContract.Serve(Dispatcher));
        var client = new UnitContractClient(channel);

        await client.RunAsync(new UnitCommand(1));
        await client.TellAsync(new UnitAlone(1));
        Assert.Equal(105, await client.AskAsync(new UnitQuery(5), TestContext.Current.CancellationToken));
        Assert.Equal(await Dispatcher.StreamAsync(new UnitNumbers(4)).ToListAsync(), await client.CountAsync(new UnitNumbers(4)).ToListAsync());
        Assert.Equal(RpcStatus.Forbidden, (await Assert.ThrowsAsync<RpcException>(async () => await client.AskAsync(new UnitQuery(-3)))).Status);
    }

    private static Exception Failure(int id) => id switch
    {
        -1 => new RpcException(RpcStatus.Busy, "Later."),
        -2 => new InvalidMessageException(typeof(UnitQuery), [new ValidationError("Id", "It is -2.")]),
        -3 => new PostriderException(PostriderError.Refused, "secret"),
        -4 => new TimeoutException("secret"),
        -5 => new CircuitBreakerOpenException(),
        -6 => new PostriderException(PostriderError.QueueFull, "secret"),
        -8 => new RpcFaultException<UnitLoss>(new UnitLoss(8)),
        _ => new InvalidOperationException("secret"),
    };

    private sealed record UnitLoss(int Id);
}
