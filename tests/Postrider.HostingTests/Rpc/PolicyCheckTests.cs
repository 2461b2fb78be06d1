using System.Net;
using System.Security.Claims;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Rpc;
using Postrider.Rpc.Grpc;
using Postrider.Rpc.Hosting;
using Postrider.Rpc.Server;
using Postrider.Rpc.Soap.Server;

namespace Postrider.HostingTests.Rpc;

/// <summary>A contract whose policy an application may forget.</summary>
[Service("safe")]
public interface ISafe
{
    [Authorize("nosuch")]
    ValueTask<int> OpenAsync();
}

/// <summary>Policies that do not exist are found at the start, and addresses of several operations have the requirements of all.</summary>
public sealed class PolicyCheckTests
{
    private const string Message = "safe/Open has [Authorize(\"nosuch\")], and there is no policy 'nosuch'. Add it with AddAuthorization(options => options.AddPolicy(\"nosuch\", …)), or correct the name.";

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public static TheoryData<string, Action<WebApplication>> Servers => new()
    {
        { "HTTP", static app => app.MapRpc<ISafe>() },
        { "WebSockets", static app => app.MapRpcWebSockets("/rpc") },
        { "SOAP", static app => app.MapSoap<ISafe>("/safe.svc") },
        { "gRPC", static app => app.MapGrpc<ISafe>() },
    };

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Policy_that_does_not_exist_is_named_when_the_contract_is_mapped(string server, Action<WebApplication> map)
    {
        await using var app = Build(services => services.AddAuthorization().AddRpcService<ISafe, Safe>());

        var failure = Assert.Throws<InvalidOperationException>(() => map(app));

        Assert.Equal((server, Message), (server, failure.Message));
    }

    [Fact]
    public async Task Policy_that_does_not_exist_ends_the_start_of_a_socket_server()
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddRpcCodec(LedgerHost.Codec).AddRpcService<ISafe, Safe>().AddRpcSocketServer(new IPEndPoint(IPAddress.Loopback, 0)).AddRpcAuthorization();
        using var host = builder.Build();

        Assert.Equal(Message, (await Assert.ThrowsAsync<InvalidOperationException>(() => host.StartAsync(Ct))).Message);
    }

    [Fact]
    public async Task Policy_that_exists_is_accepted()
    {
        await using var app = Build(services => services.AddAuthorization(options => options.AddPolicy("nosuch", static policy => policy.RequireAuthenticatedUser())).AddRpcService<ISafe, Safe>());

        app.MapRpc<ISafe>();
    }

    [Theory]
    [InlineData("", HttpStatusCode.Forbidden)]
    [InlineData("badge", HttpStatusCode.UpgradeRequired)] // not a WebSocket: the check was passed
    public async Task Requirement_without_a_policy_protects_the_address_of_web_sockets(string claim, HttpStatusCode expected)
    {
        await using var app = Build(services => services.AddAuthorization().AddRpcService<IPass, Pass>());
        app.Use((http, next) =>
        {
            http.User = new ClaimsPrincipal(new ClaimsIdentity(claim.Length > 0 ? [new Claim(claim, "7")] : [], "test"));
            return next(http);
        });
        app.UseAuthorization();
        app.UseWebSockets();
        app.MapRpcWebSockets("/rpc");
        await app.StartAsync(Ct);
        using var http = new HttpClient { BaseAddress = new Uri(app.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.First()) };

        using var response = await http.GetAsync(new Uri("/rpc", UriKind.Relative), Ct);

        Assert.Equal(expected, response.StatusCode);
    }

    private static WebApplication Build(Action<IServiceCollection> configure)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseSetting("urls", "http://127.0.0.1:0");
        builder.Services.AddRpcCodec(LedgerHost.Codec).AddAuthentication().AddScheme<Microsoft.AspNetCore.Authentication.AuthenticationSchemeOptions, NoAuthentication>("none", null);
        configure(builder.Services);
        return builder.Build();
    }

    private sealed class Safe : ISafe
    {
        public ValueTask<int> OpenAsync() => new(1);
    }

    private sealed class Pass : IPass
    {
        public ValueTask<int> EnterAsync() => new(2);
    }

    private sealed class NoAuthentication(
        Microsoft.Extensions.Options.IOptionsMonitor<Microsoft.AspNetCore.Authentication.AuthenticationSchemeOptions> options, ILoggerFactory logger, System.Text.Encodings.Web.UrlEncoder encoder)
        : Microsoft.AspNetCore.Authentication.AuthenticationHandler<Microsoft.AspNetCore.Authentication.AuthenticationSchemeOptions>(options, logger, encoder)
    {
        protected override Task<Microsoft.AspNetCore.Authentication.AuthenticateResult> HandleAuthenticateAsync() => Task.FromResult(Microsoft.AspNetCore.Authentication.AuthenticateResult.NoResult());
    }
}

/// <summary>A contract whose requirement is in no policy.</summary>
[Service("pass")]
public interface IPass
{
    [WithBadge]
    ValueTask<int> EnterAsync();
}
