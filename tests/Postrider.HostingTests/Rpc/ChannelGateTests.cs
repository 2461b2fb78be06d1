using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Time.Testing;
using Postrider.Flow.Hosting;
using Postrider.Resilience;
using Postrider.Rpc;
using Postrider.Rpc.Hosting;

namespace Postrider.HostingTests.Rpc;

/// <summary>Circuit breaker, rate limit and bulkhead of a channel, from the configuration.</summary>
public sealed class ChannelGateTests
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Breaker_opens_by_failures_of_the_service_alone_and_closes_again()
    {
        var clock = new FakeTimeProvider();
        var service = new Answers();
        using var host = await StartAsync(clock, service, "CircuitBreaker:FailureThreshold=2", "CircuitBreaker:OpenTime=30s", "CircuitBreaker:SuccessThreshold=1");
        var ledger = host.Services.GetRequiredService<ILedger>();

        // The service has answered: these are no failures.
        foreach (var answer in (RpcStatus[])[RpcStatus.Forbidden, RpcStatus.NotFound, RpcStatus.InvalidData, RpcStatus.Forbidden])
            Assert.Equal(answer, await StatusAsync(answer));
        Assert.Equal(RpcStatus.Unavailable, await StatusAsync(RpcStatus.Unavailable));
        Assert.Equal(RpcStatus.Internal, await StatusAsync(RpcStatus.Internal));

        var refused = await Assert.ThrowsAsync<RpcException>(async () => await ledger.AddAsync(1, Ct));
        Assert.Equal("ledger/Add was not called: The circuit breaker is Open; the next call may pass in 00:00:30.", refused.Message);
        Assert.Equal((RpcStatus.Unavailable, true), (refused.Status, refused.IsUnsent));
        Assert.IsType<CircuitBreakerOpenException>(refused.InnerException);
        await Assert.ThrowsAsync<RpcException>(async () => await ledger.CountAsync(1, Ct).ToListAsync(Ct));
        Assert.Equal(6, service.Calls);

        clock.Advance(TimeSpan.FromSeconds(31));
        Assert.Equal([1, 2], await ledger.CountAsync(2, Ct).ToListAsync(Ct));
        Assert.Equal(RpcStatus.Ok, await StatusAsync(RpcStatus.Ok));

        async Task<RpcStatus> StatusAsync(RpcStatus status)
        {
            service.Status = status;
            try
            {
                await ledger.AddAsync(1, Ct);
                return RpcStatus.Ok;
            }
            catch (RpcException failure)
            {
                return failure.Status;
            }
            finally
            {
                service.Status = RpcStatus.Ok;
            }
        }
    }

    [Fact]
    public async Task Rate_limit_delays_calls_and_rejects_one_that_has_no_time_for_it()
    {
        var clock = new FakeTimeProvider();
        using var host = await StartAsync(clock, new Answers(), "RateLimit:Permits=1", "RateLimit:Per=10s", "Timeout=15s");
        var ledger = host.Services.GetRequiredService<ILedger>();

        Assert.Equal("nobody", await ledger.WhoAsync());
        var second = ledger.WhoAsync().AsTask();
        Assert.False(second.IsCompleted);
        // The second waits 10 s; a third would wait 20 s.
        var third = await Assert.ThrowsAsync<RpcException>(async () => await ledger.WhoAsync());
        Assert.Equal((RpcStatus.Busy, true), (third.Status, third.IsUnsent));
        Assert.Equal("ledger/Who was not called: it would wait 00:00:20 for the rate limit, and 00:00:15 are left of its time.", third.Message);

        clock.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal("nobody", await second);
    }

    [Fact]
    public async Task Bulkhead_holds_calls_back_until_one_has_ended_or_their_time_is_over()
    {
        var clock = new FakeTimeProvider();
        using var host = await StartAsync(clock, new Answers(), "Bulkhead:Capacity=1");
        var ledger = host.Services.GetRequiredService<ILedger>();
        var stream = ledger.CountAsync(9, Ct).GetAsyncEnumerator(Ct);
        await stream.MoveNextAsync();

        var late = ledger.WhoAsync(new CallContext { Timeout = TimeSpan.FromSeconds(5) }).AsTask();
        var patient = ledger.WhoAsync().AsTask();
        clock.Advance(TimeSpan.FromSeconds(6));
        var failure = await Assert.ThrowsAsync<RpcException>(() => late);
        Assert.Equal((RpcStatus.DeadlineExceeded, true), (failure.Status, failure.IsUnsent));
        Assert.Equal("ledger/Who was not called: it waited 00:00:05 for the bulkhead, whose capacity is 1.", failure.Message);
        Assert.False(patient.IsCompleted);

        await stream.DisposeAsync();
        Assert.Equal("nobody", await patient);
    }

    [Fact]
    public async Task Gates_with_a_name_are_those_of_the_application()
    {
        using var host = await StartAsync(
            new FakeTimeProvider(), new Answers(), "CircuitBreaker=stock", "RateLimit=stock", "Bulkhead=stock",
            "/Flow:CircuitBreakers:stock:FailureThreshold=1", "/Flow:RateLimiters:stock:Permits=5", "/Flow:Bulkheads:stock:Capacity=2");
        var ledger = host.Services.GetRequiredService<ILedger>();

        await ledger.AddAsync(1, Ct);
        Assert.Equal(4, host.Services.GetRequiredKeyedService<RateLimiter>("stock").Available, tolerance: 0.1);
        host.Services.GetRequiredKeyedService<CircuitBreaker>("stock").Isolate();
        var refused = await Assert.ThrowsAsync<RpcException>(async () => await ledger.AddAsync(1, Ct));

        Assert.Equal("ledger/Add was not called: The circuit breaker is Isolated.", refused.Message);
        Assert.Equal(0, host.Services.GetRequiredKeyedService<Bulkhead>("stock").Used);
    }

    private static async Task<IHost> StartAsync(TimeProvider clock, Answers service, params string[] keys)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection(keys.Append("Address=answers://here").Select(static pair => pair.Split('=', 2)).Select(static pair
            => KeyValuePair.Create(pair[0][0] == '/' ? "Postrider:" + pair[0][1..] : "Postrider:Rpc:Channels:ledger:" + pair[0], (string?)pair[1])));
        builder.AddPostriderFlow();
        builder.Services.AddSingleton(clock);
        builder.Services.AddSingleton<RpcChannelFactory>(new AnswersFactory(service));
        builder.Services.AddRpcCodec(LedgerHost.Codec).AddRpcClient<ILedger>();
        var host = builder.Build();
        await host.StartAsync(Ct);
        return host;
    }

    // The service's answer to the next calls.
    private sealed class Answers : RpcInterceptor
    {
        public RpcStatus Status { get; set; }

        public int Calls { get; private set; }

        public override ValueTask<TResponse> CallAsync<TRequest, TItem, TResponse>(RpcCall<TRequest, TItem> call, RpcCallNext<TRequest, TItem, TResponse> next)
        {
            Calls++;
            return Status == RpcStatus.Ok ? next(call) : throw new RpcException(Status, "Not now.");
        }
    }

    private sealed class AnswersFactory(Answers answers) : RpcChannelFactory
    {
        public override IReadOnlyCollection<string> Schemes => ["answers"];

        public override RpcChannel Create(Uri address, RpcCodec codec, RpcChannelSettings settings)
            => new InProcessChannel(LedgerContract.Serve(new Ledger(new Books(), new CallScope())).WithInterceptors(answers));
    }
}
