using System.Net;
using System.Security.Claims;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Rpc;
using Postrider.Rpc.Hosting;
using Postrider.Rpc.Server;

namespace Postrider.HostingTests.Rpc;

/// <summary>Authorization attributes that the application has written, and authenticators in any order.</summary>
public sealed class AuthorizationAttributeTests
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Attribute_that_derives_from_Authorize_is_not_ignored_over_a_socket()
    {
        using var host = Build(static _ => { });

        var failure = await Assert.ThrowsAsync<InvalidOperationException>(() => host.StartAsync(Ct));

        Assert.StartsWith("vault/Open has [Authorize], which nothing checks over a socket.", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("role:keeper", RpcStatus.Forbidden)]
    [InlineData("badge:7", null)]
    [InlineData("", RpcStatus.Unauthenticated)]
    public async Task Requirements_of_an_attribute_are_checked(string claim, RpcStatus? expected)
    {
        using var host = Build(static services => services.AddRpcAuthentication<Claims>().AddRpcAuthorization());
        await host.StartAsync(Ct);

        Assert.Equal(expected, await StatusAsync(host, claim, static vault => vault.EnterAsync()));
    }

    [Theory]
    [InlineData("role:keeper", null)]
    [InlineData("badge:7", RpcStatus.Forbidden)]
    public async Task Authenticator_that_was_added_after_the_checks_runs_before_them(string claim, RpcStatus? expected)
    {
        using var host = Build(static services => services.AddRpcAuthorization().AddRpcAuthentication<Claims>());
        await host.StartAsync(Ct);

        Assert.Equal(expected, await StatusAsync(host, claim, static vault => vault.OpenAsync()));
    }

    [Fact]
    public async Task Second_authenticator_is_asked_when_the_first_one_does_not_know_the_caller()
    {
        using var host = Build(static services => services.AddRpcAuthentication<Nobody>().AddRpcAuthentication<Claims>().AddRpcAuthorization());
        await host.StartAsync(Ct);

        Assert.Null(await StatusAsync(host, "role:keeper", static vault => vault.OpenAsync()));
    }

    private static IHost Build(Action<IServiceCollection> configure)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddRpcCodec(LedgerHost.Codec).AddRpcService<IVault, Vault>().AddRpcSocketServer(new IPEndPoint(IPAddress.Loopback, 0));
        configure(builder.Services);
        return builder.Build();
    }

    private static async Task<RpcStatus?> StatusAsync(IHost host, string claim, Func<VaultClient, ValueTask<int>> call)
    {
        await using var channel = new SocketChannel(host.Services.GetRequiredService<RpcSocketServerService>().Server.EndPoint, LedgerHost.Codec);
        try
        {
            await call(new VaultClient(channel.WithInterceptors(new Claimed(claim))));
            return null;
        }
        catch (RpcException refused)
        {
            return refused.Status;
        }
    }

    private sealed class Nobody : RpcAuthenticator
    {
        public override ValueTask<ClaimsPrincipal?> AuthenticateAsync(CallContext context, CancellationToken ct) => default;
    }

    private sealed class Claims : RpcAuthenticator
    {
        public override ValueTask<ClaimsPrincipal?> AuthenticateAsync(CallContext context, CancellationToken ct)
            => new(context.Headers["claim"]?.Split(':') is [var type, var value]
                ? new ClaimsPrincipal(new ClaimsIdentity([new Claim(type == "role" ? ClaimTypes.Role : type, value)], "claims"))
                : null);
    }

    private sealed class Claimed(string claim) : RpcInterceptor
    {
        public override ValueTask<TResponse> CallAsync<TRequest, TItem, TResponse>(RpcCall<TRequest, TItem> call, RpcCallNext<TRequest, TItem, TResponse> next)
        {
            call.Context.Headers["claim"] = claim;
            return next(call);
        }
    }
}
