using System.Net;
using System.Security.Claims;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Broker;
using Postrider.Client.Hosting;
using Postrider.Rpc;
using Postrider.Rpc.Hosting;
using Postrider.Rpc.Nats;
using Postrider.Rpc.Server;

namespace Postrider.HostingTests.Rpc;

public sealed class AuthorizationTests
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    // null: the call succeeds.
    public static MatrixTheoryData<string, (string? Name, bool IsStream, RpcStatus? Expected)> Callers => new(
        ["socket", "websocket", "nats"],
        [
            (null, false, RpcStatus.Unauthenticated),
            ("stranger", false, RpcStatus.Unauthenticated),
            ("anna", false, null),
            (null, true, RpcStatus.Unauthenticated),
            ("anna", true, RpcStatus.Forbidden),
            ("auditor", true, null),
        ]);

    [Theory]
    [MemberData(nameof(Callers))]
    public async Task Attributes_of_the_contract_hold_where_ASP_NET_Core_does_not_check_them(string transport, (string? Name, bool IsStream, RpcStatus? Expected) caller)
    {
        await using var host = await StartAsync();
        await using var channel = host.Connect(transport).WithInterceptors(new Caller(caller.Name));
        var ledger = new LedgerClient(channel);

        RpcStatus? status = null;
        try
        {
            if (caller.IsStream)
                Assert.Equal([7], await ledger.AuditAsync(Ct).ToListAsync(Ct));
            else
                Assert.Equal(42, await ledger.SecretAsync());
        }
        catch (RpcException failure)
        {
            status = failure.Status;
        }

        Assert.Equal(caller.Expected, status);
    }

    [Fact]
    public async Task Operation_without_attributes_is_open_and_knows_its_caller()
    {
        await using var host = await StartAsync();
        await using var known = host.Connect("socket").WithInterceptors(new Caller("anna"));
        await using var unknown = host.Connect("socket");

        Assert.Equal("anna", await new LedgerClient(known).WhoAsync());
        Assert.Equal("nobody", await new LedgerClient(unknown).WhoAsync());
    }

    [Theory]
    [InlineData(false, "ledger/Secret has [Authorize], which nothing checks over a socket. Call AddRpcAuthorization() of Postrider.Rpc.Server, and AddRpcAuthentication<TAuthenticator>() or client certificates to know the callers.")]
    [InlineData(true, "ledger/Secret has [Authorize], which nothing checks over NATS. Call AddRpcAuthorization() of Postrider.Rpc.Server, and AddRpcAuthentication<TAuthenticator>() to know the callers.")]
    public async Task Server_that_would_ignore_the_attributes_does_not_start(bool overNats, string message)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddSingleton<Books>().AddScoped<CallScope>();
        builder.Services.AddRpcCodec(LedgerHost.Codec).AddRpcService<ILedger, Ledger>();
        if (overNats)
            builder.AddPostriderBroker(static options => options.Listen = false).AddPostriderClient().Services.AddRpcNatsServer();
        else
            builder.Services.AddRpcSocketServer(new IPEndPoint(IPAddress.Loopback, 0));
        using var host = builder.Build();

        var failure = await Assert.ThrowsAsync<InvalidOperationException>(() => host.StartAsync(Ct));

        Assert.Equal(message, failure.Message);
    }

    [Fact]
    public async Task Refusal_comes_before_the_implementation_is_made()
    {
        await using var host = await StartAsync();
        await using var channel = host.Connect("socket");

        await Assert.ThrowsAsync<RpcException>(async () => await new LedgerClient(channel).SecretAsync());

        Assert.Empty(host.Books.Scopes);
    }

    private static Task<LedgerHost> StartAsync()
        => LedgerHost.StartAsync(services => services.AddRpcAuthentication<Tokens>());

    private sealed class Tokens : RpcAuthenticator
    {
        public override ValueTask<ClaimsPrincipal?> AuthenticateAsync(CallContext context, CancellationToken ct)
        {
            if (context.Headers["token"] is not ("anna" or "auditor"))
                return default;
            var identity = new ClaimsIdentity("token");
            identity.AddClaim(new Claim(ClaimTypes.Name, context.Headers["token"]!));
            if (context.Headers["token"] == "auditor")
                identity.AddClaim(new Claim(ClaimTypes.Role, "auditor"));
            return new(new ClaimsPrincipal(identity));
        }
    }

    private sealed class Caller(string? token) : RpcInterceptor
    {
        public override ValueTask<TResponse> CallAsync<TRequest, TItem, TResponse>(RpcCall<TRequest, TItem> call, RpcCallNext<TRequest, TItem, TResponse> next)
            => next(Marked(call));

        public override IAsyncEnumerable<TResponse> StreamAsync<TRequest, TItem, TResponse>(RpcCall<TRequest, TItem> call, RpcStreamNext<TRequest, TItem, TResponse> next)
            => next(Marked(call));

        private RpcCall<TRequest, TItem> Marked<TRequest, TItem>(RpcCall<TRequest, TItem> call)
        {
            if (token is not null)
                call.Context.Headers["token"] = token;
            return call;
        }
    }
}
