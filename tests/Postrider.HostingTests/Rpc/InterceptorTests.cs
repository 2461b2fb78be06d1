using Microsoft.Extensions.DependencyInjection;
using Postrider.Rpc;
using Postrider.Rpc.Hosting;

namespace Postrider.HostingTests.Rpc;

public sealed class InterceptorTests
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public static TheoryData<string> Transports => LedgerHost.Transports;

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Headers_that_the_client_adds_reach_the_server(string transport)
    {
        await using var host = await LedgerHost.StartAsync();
        await using var channel = host.Connect(transport).WithInterceptors(new CallerHeader("till-7"));
        var ledger = new LedgerClient(channel);

        Assert.Equal("till-7", await ledger.WhoAsync());
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Server_interceptors_run_in_order_around_calls_and_streams(string transport)
    {
        var notes = new Notes();
        await using var host = await LedgerHost.StartAsync(services => services.AddSingleton(notes).AddRpcServerInterceptor<Outer>().AddRpcServerInterceptor<Inner>());
        await using var channel = host.Connect(transport);
        var ledger = new LedgerClient(channel);

        await ledger.AddAsync(1, Ct);
        Assert.Equal(["outer ledger/Add", "inner ledger/Add", "inner ends", "outer ends"], notes.Take());

        Assert.Equal([10, 20], await ledger.CountAsync(2, Ct).ToListAsync(Ct));
        Assert.Equal(["outer ledger/Count", "inner ledger/Count", "inner ends", "outer ends"], notes.Take());
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Server_interceptors_see_the_deadline_and_the_peer_and_share_items_with_the_implementation(string transport)
    {
        var seen = new Seen();
        await using var host = await LedgerHost.StartAsync(services => services.AddSingleton(seen).AddRpcServerInterceptor<Naming>().AddRpcServerInterceptor<Seeing>());
        await using var channel = host.Connect(transport);

        Assert.Equal("an interceptor", await new LedgerClient(channel).WhoAsync(new CallContext { Timeout = TimeSpan.FromSeconds(20) }));

        Assert.InRange(seen.Timeout!.Value, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(20));
        Assert.Equal("an interceptor", seen.Item);
        Assert.StartsWith(transport == "nats" ? "_INBOX." : "127.0.0.1", seen.Peer, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Interceptor_changes_the_request_and_answers_itself()
    {
        await using var host = await LedgerHost.StartAsync();
        await using var channel = host.Connect("socket").WithInterceptors(new Doubling());
        var ledger = new LedgerClient(channel);

        Assert.Equal(8, await ledger.AddAsync(4, Ct));
        Assert.Equal("the interceptor", await ledger.WhoAsync());
        Assert.Single(host.Books.Scopes);
    }

    [Fact]
    public async Task Exception_of_an_interceptor_is_the_failure_of_the_call()
    {
        await using var host = await LedgerHost.StartAsync(services => services.AddRpcServerInterceptor<Closed>());
        await using var channel = host.Connect("socket");
        var ledger = new LedgerClient(channel);

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await ledger.AddAsync(1, Ct));

        Assert.Equal((RpcStatus.Unavailable, "Closed for stocktaking."), (failure.Status, failure.Message));
        Assert.Empty(host.Books.Scopes);
    }

    [Fact]
    public void Channel_without_interceptors_stays_as_it_is()
    {
        var channel = new InProcessChannel();

        Assert.Same(channel, channel.WithInterceptors());
    }

    private sealed class Notes
    {
        private readonly Lock _gate = new(); // guards _all
        private List<string> _all = [];

        public void Add(string note)
        {
            lock (_gate)
                _all.Add(note);
        }

        public List<string> Take()
        {
            lock (_gate)
            {
                var all = _all;
                _all = [];
                return all;
            }
        }
    }

    private sealed class Seen
    {
        public TimeSpan? Timeout { get; set; }

        public string? Peer { get; set; }

        public object? Item { get; set; }
    }

    private sealed class Naming : RpcInterceptor
    {
        public override ValueTask<TResponse> CallAsync<TRequest, TItem, TResponse>(RpcCall<TRequest, TItem> call, RpcCallNext<TRequest, TItem, TResponse> next)
        {
            call.Context.Items["caller"] = "an interceptor";
            return next(call);
        }
    }

    private sealed class Seeing(Seen seen) : RpcInterceptor
    {
        public override ValueTask<TResponse> CallAsync<TRequest, TItem, TResponse>(RpcCall<TRequest, TItem> call, RpcCallNext<TRequest, TItem, TResponse> next)
        {
            (seen.Timeout, seen.Peer, seen.Item) = (call.Context.Timeout, call.Context.Peer, call.Context.Items["caller"]);
            return next(call);
        }
    }

    private abstract class Noting(Notes notes, string name) : RpcInterceptor
    {
        public override async ValueTask<TResponse> CallAsync<TRequest, TItem, TResponse>(RpcCall<TRequest, TItem> call, RpcCallNext<TRequest, TItem, TResponse> next)
        {
            notes.Add($"{name} {call.Operation.Path}");
            var response = await next(call);
            notes.Add($"{name} ends");
            return response;
        }

        public override async IAsyncEnumerable<TResponse> StreamAsync<TRequest, TItem, TResponse>(RpcCall<TRequest, TItem> call, RpcStreamNext<TRequest, TItem, TResponse> next)
        {
            notes.Add($"{name} {call.Operation.Path}");
            await foreach (var item in next(call))
                yield return Changed(item);
            notes.Add($"{name} ends");
        }

        protected virtual T Changed<T>(T item) => item;
    }

    private sealed class Outer(Notes notes) : Noting(notes, "outer");

    private sealed class Inner(Notes notes) : Noting(notes, "inner")
    {
        protected override T Changed<T>(T item) => item is int number ? (T)(object)(number * 10) : item;
    }

    private sealed class CallerHeader(string name) : RpcInterceptor
    {
        public override ValueTask<TResponse> CallAsync<TRequest, TItem, TResponse>(RpcCall<TRequest, TItem> call, RpcCallNext<TRequest, TItem, TResponse> next)
        {
            call.Context.Headers["caller"] = name;
            return next(call);
        }
    }

    private sealed class Doubling : RpcInterceptor
    {
        public override ValueTask<TResponse> CallAsync<TRequest, TItem, TResponse>(RpcCall<TRequest, TItem> call, RpcCallNext<TRequest, TItem, TResponse> next)
            => typeof(TResponse) == typeof(string) ? new((TResponse)(object)"the interceptor")
                : call.Request is int amount ? next(call with { Request = (TRequest)(object)(amount * 2) })
                : next(call);
    }

    private sealed class Closed : RpcInterceptor
    {
        public override ValueTask<TResponse> CallAsync<TRequest, TItem, TResponse>(RpcCall<TRequest, TItem> call, RpcCallNext<TRequest, TItem, TResponse> next)
            => throw new RpcException(RpcStatus.Unavailable, "Closed for stocktaking.");
    }
}
