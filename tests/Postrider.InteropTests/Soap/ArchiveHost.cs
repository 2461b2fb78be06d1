using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Rpc.Soap.Server;

namespace Postrider.InteropTests.Soap;

/// <summary>The archive in both namespaces, once for all tests.</summary>
public sealed class ArchiveHost : IAsyncLifetime
{
    private readonly WebApplication _app;

    public ArchiveHost()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0));
        _app = builder.Build();
        _app.MapSoap("/urn.svc", UrnArchiveContract.Serve(new Archive()), ArchiveXml.Default);
        _app.MapSoap("/http.svc", HttpArchiveContract.Serve(new Archive()), ArchiveXml.Default);
    }

    public string Address => _app.Urls.Single();

    public async ValueTask InitializeAsync() => await _app.StartAsync();

    public async ValueTask DisposeAsync() => await _app.DisposeAsync();
}
