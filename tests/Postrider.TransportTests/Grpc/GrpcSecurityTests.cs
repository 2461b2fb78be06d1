using System.Net;
using System.Security.Claims;
using System.Text.Encodings.Web;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Https;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Postrider.Serialization;
using Postrider.Transport.Grpc;
using Postrider.Transports;

namespace Postrider.TransportTests.Grpc;

/// <summary>TLS, client certificates and tokens in front of an inbox that demands them.</summary>
public sealed class GrpcSecurityTests : IAsyncLifetime
{
    private readonly TestCertificates _certificates = new();
    private WebApplication _app = null!;
    private Uri _address = null!;

    private CancellationToken Ct { get; } = new CancellationTokenSource(TimeSpan.FromSeconds(45)).Token;

    public async ValueTask InitializeAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseKestrelHttpsConfiguration();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, listen =>
        {
            listen.Protocols = HttpProtocols.Http2;
            listen.UseHttps(_certificates.Server, static https =>
            {
                https.ClientCertificateMode = ClientCertificateMode.RequireCertificate;
                https.ClientCertificateValidation = static (certificate, _, _) => certificate.Subject == "CN=client";
            });
        }));
        builder.Services.AddAuthentication("tokens").AddScheme<AuthenticationSchemeOptions, Tokens>("tokens", null);
        builder.Services.AddAuthorization(static options => options.AddPolicy("senders", static policy => policy.RequireClaim("may", "send")));
        builder.Services.AddPostrider();
        builder.Services.AddGrpcTransport("inbox", TextSerializerProvider.Instance);
        _app = builder.Build();
        _app.UseAuthentication();
        _app.UseAuthorization();
        _app.MapGrpcTransport("inbox").RequireAuthorization("senders");
        await _app.StartAsync();
        _address = new(_app.Urls.Single());
        await Inbox.ListenAsync(new TransportBinding("orders"), static (_, _) => default, Ct);
    }

    public async ValueTask DisposeAsync()
    {
        await Inbox.DisposeAsync();
        await _app.DisposeAsync();
        _certificates.Dispose();
    }

    private ITransport Inbox => _app.Services.GetRequiredKeyedService<ITransport>("inbox");

    [Theory]
    [InlineData("sender", null)]
    [InlineData("reader", "PermissionDenied")]
    [InlineData("nobody", "Unauthenticated")]
    public async Task Token_decides_whether_a_message_is_taken(string token, string? refusal)
    {
        await using var transport = new GrpcTransport(Options(_ => new(token)));

        if (refusal is null)
        {
            await transport.OpenSender("orders").SendAsync(default, default, Ct);
            Assert.Equal(HealthStatus.Healthy, (await transport.CheckHealthAsync(Ct)).Status);
            return;
        }

        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await transport.OpenSender("orders").SendAsync(default, default, Ct));
        Assert.Equal(PostriderError.Configuration, refused.Error);
        Assert.Contains(refusal, refused.Message, StringComparison.Ordinal);
        Assert.Equal(HealthStatus.Unhealthy, (await transport.CheckHealthAsync(Ct)).Status);
    }

    [Fact]
    public async Task Server_of_another_authority_and_client_without_a_certificate_are_not_connected()
    {
        using var others = new TestCertificates("Another authority");
        foreach (var security in new GrpcSecurity[] { new() { CaFile = others.CaFile, CertificateFile = _certificates.ClientFile, KeyFile = _certificates.ClientKeyFile }, new() { CaFile = _certificates.CaFile } })
        {
            await using var transport = new GrpcTransport(Options(null) with { Security = security });

            Assert.NotEqual(HealthStatus.Healthy, (await transport.CheckHealthAsync(Ct)).Status);
            await Assert.ThrowsAsync<global::Grpc.Core.RpcException>(async () => await transport.OpenSender("orders").SendAsync(default, default, Ct));
        }
    }

    private GrpcOptions Options(Func<CancellationToken, ValueTask<string>>? token) => new()
    {
        Address = _address,
        Security = new() { CaFile = _certificates.CaFile, CertificateFile = _certificates.ClientFile, KeyFile = _certificates.ClientKeyFile, Token = token },
        Retry = new() { SendAttempts = 2, MaxPause = TimeSpan.FromMilliseconds(5) },
    };

    private sealed class Tokens(IOptionsMonitor<AuthenticationSchemeOptions> options, ILoggerFactory loggers, UrlEncoder encoder) : AuthenticationHandler<AuthenticationSchemeOptions>(options, loggers, encoder)
    {
        protected override Task<AuthenticateResult> HandleAuthenticateAsync()
        {
            var may = Request.Headers.Authorization.ToString() switch
            {
                "Bearer sender" => "send",
                "Bearer reader" => "read",
                _ => null,
            };
            return Task.FromResult(may is null
                ? AuthenticateResult.NoResult()
                : AuthenticateResult.Success(new(new ClaimsPrincipal(new ClaimsIdentity([new Claim("may", may)], Scheme.Name)), Scheme.Name)));
        }
    }
}
