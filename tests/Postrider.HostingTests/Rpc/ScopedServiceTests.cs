using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Rpc;
using Postrider.Rpc.Hosting;
using Postrider.Rpc.Soap;
using Postrider.Rpc.Soap.Server;

namespace Postrider.HostingTests.Rpc;

public sealed class ScopedServiceTests
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public static TheoryData<string> Transports => LedgerHost.Transports;

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Each_call_has_a_scope_that_ends_with_it(string transport)
    {
        await using var host = await LedgerHost.StartAsync();
        await using var channel = host.Connect(transport);
        var ledger = new LedgerClient(channel);

        Assert.Equal(2, await ledger.AddAsync(2, Ct));
        Assert.Equal(5, await ledger.AddAsync(3, Ct));

        Assert.Equal(2, host.Books.Scopes.Distinct().Count());
        await Task.WhenAll(host.Books.Scopes.Select(scope => scope.Disposed)).WaitAsync(TimeSpan.FromSeconds(30), Ct);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Failed_call_ends_its_scope(string transport)
    {
        await using var host = await LedgerHost.StartAsync();
        await using var channel = host.Connect(transport);
        var ledger = new LedgerClient(channel);

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await ledger.FailAsync());

        Assert.Equal(RpcStatus.Internal, failure.Status);
        await Assert.Single(host.Books.Scopes).Disposed.WaitAsync(TimeSpan.FromSeconds(30), Ct);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Stream_keeps_its_scope_to_the_end(string transport)
    {
        await using var host = await LedgerHost.StartAsync();
        await using var channel = host.Connect(transport);
        var ledger = new LedgerClient(channel);

        var items = await ledger.CountAsync(50, Ct).ToListAsync(Ct);

        Assert.Equal(Enumerable.Range(1, 50), items);
        await Assert.Single(host.Books.Scopes).Disposed.WaitAsync(TimeSpan.FromSeconds(30), Ct);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Stream_that_is_left_ends_its_scope(string transport)
    {
        await using var host = await LedgerHost.StartAsync();
        await using var channel = host.Connect(transport);
        var ledger = new LedgerClient(channel);

        await foreach (var item in ledger.CountAsync(int.MaxValue, Ct))
        {
            if (item == 3)
                break;
        }

        await Assert.Single(host.Books.Scopes).Disposed.WaitAsync(TimeSpan.FromSeconds(30), Ct);
    }

    [Fact]
    public async Task Each_call_over_soap_has_a_scope_that_ends_with_it()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseSetting("urls", "http://127.0.0.1:0");
        builder.Services.AddSingleton<Books>();
        builder.Services.AddScoped<CallScope>();
        builder.Services.AddRpcService<ITill, Till>();
        await using var app = builder.Build();
        app.MapSoap<ITill>("/till.svc");
        await app.StartAsync(Ct);
        await using var channel = new SoapChannel(new Uri(app.Urls.First() + "/till.svc"));
        var till = new TillClient(channel);

        Assert.Equal((2, 3), (await till.CountAsync(1), await till.CountAsync(2)));

        var books = app.Services.GetRequiredService<Books>();
        Assert.Equal(2, books.Scopes.Distinct().Count());
        await Task.WhenAll(books.Scopes.Select(scope => scope.Disposed)).WaitAsync(TimeSpan.FromSeconds(30), Ct);
    }

    [Fact]
    public async Task Singleton_serves_all_calls()
    {
        await using var host = await LedgerHost.StartAsync(lifetime: ServiceLifetime.Singleton);
        await using var channel = host.Connect("socket");
        var ledger = new LedgerClient(channel);

        await ledger.AddAsync(1, Ct);
        await ledger.AddAsync(1, Ct);

        Assert.Single(host.Books.Scopes.Distinct());
    }

    [Fact]
    public async Task Calls_that_run_end_before_the_host_has_stopped()
    {
        await using var host = await LedgerHost.StartAsync();
        await using var channel = host.Connect("socket");
        var ledger = new LedgerClient(channel);
        var items = ledger.CountAsync(2000, Ct).GetAsyncEnumerator(Ct);
        await items.MoveNextAsync();

        var stopping = host.StopAsync(Ct);
        var seen = 1;
        while (await items.MoveNextAsync())
            seen++;
        await items.DisposeAsync();
        await stopping;

        Assert.Equal(2000, seen);
    }
}
