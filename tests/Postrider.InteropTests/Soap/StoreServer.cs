using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Rpc.Server.Soap;

namespace Postrider.InteropTests.Soap;

/// <summary>The service on Kestrel, for foreign clients.</summary>
public sealed class StoreServer : IAsyncLifetime
{
    private WebApplication _app = null!;

    internal Store Store { get; } = new();

    internal string Address => _app.Urls.Single() + "/store.svc";

    public async ValueTask InitializeAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        _app = builder.Build();
        _app.MapSoap("/store.svc", StoreContract.Serve(Store), StoreXml.Default);
        await _app.StartAsync();
    }

    public async ValueTask DisposeAsync() => await _app.DisposeAsync();
}
