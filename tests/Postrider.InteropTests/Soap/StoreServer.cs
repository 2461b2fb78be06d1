using System.Net;
using System.Security.Claims;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Rpc.Soap;
using Postrider.Rpc.Soap.Server;

namespace Postrider.InteropTests.Soap;

/// <summary>The service on Kestrel, for foreign clients.</summary>
public sealed class StoreServer : IAsyncLifetime
{
    private readonly X509Certificate2 _certificate = Certificate();
    private WebApplication _app = null!;

    internal Store Store { get; } = new();

    internal string Address => _app.Urls.Single(u => u.StartsWith("http:", StringComparison.Ordinal)) + "/store.svc";

    /// <summary>The same over TLS, for whoever says a name and a password.</summary>
    internal string SecureAddress => _app.Urls.Single(u => u.StartsWith("https:", StringComparison.Ordinal)) + "/secure.svc";

    public async ValueTask InitializeAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseKestrelHttpsConfiguration();
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.Listen(IPAddress.Loopback, 0);
            kestrel.Listen(IPAddress.Loopback, 0, listen => listen.UseHttps(_certificate));
        });
        _app = builder.Build();
        var service = StoreContract.Serve(Store);
        _app.MapSoap("/store.svc", service, StoreXml.Default);
        _app.MapSoap("/secure.svc", service, StoreXml.Default, new SoapServerOptions { Authenticate = AuthenticateAsync });
        await _app.StartAsync();
    }

    public async ValueTask DisposeAsync()
    {
        await _app.DisposeAsync();
        _certificate.Dispose();
    }

    private static ValueTask<ClaimsPrincipal?> AuthenticateAsync(UsernameToken token, CancellationToken ct)
        => new(token is { Username: "alice", Password: "secret" } ? new ClaimsPrincipal(new ClaimsIdentity([new Claim(ClaimTypes.Name, "alice")], "password")) : null);

    private static X509Certificate2 Certificate()
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        return request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
    }
}
