using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.InteropTests.Harness;
using Postrider.Rpc;
using Postrider.Rpc.Server;

namespace Postrider.InteropTests.Rpc;

/// <summary>A page in Debian's chromium beside our service: fetch, streams, another origin, WebSocket.</summary>
public sealed class BrowserTests
{
    [Fact]
    public async Task Page_calls_our_service()
    {
        await using var page = new TillHost(null);
        await page.StartAsync();
        await using var friend = new TillHost(page.Origin);
        await friend.StartAsync();
        await using var stranger = new TillHost("http://nobody.invalid");
        await stranger.StartAsync();

        var told = await ForeignProgram.RunAsync("node", Path.Combine(Tools.NodeStories, "browser.mjs"), page.Origin + "/", friend.Origin, stranger.Origin);

        Assert.Equal(
            """
            200 application/json 42
            422 application/problem+json {"title":"SoldOut","status":422,"detail":"No tea is left.","fault":{"item":"tea","left":0}}
            application/jsonl 1 | 2 | 3 | !{"title":"Busy","status":429,"detail":"That is too many."}
            200 application/json 2
            200 application/json 3
            TypeError
            postrider.json true {"id":1,"result":7}
            postrider.json true {"id":7,"item":1} {"id":7,"item":2} {"id":7,"item":3} {"id":7,"end":true}
            postrider.json true {"id":9,"error":{"title":"SoldOut","status":422,"detail":"No tea is left.","fault":{"item":"tea","left":0}}}
            postrider.json true {"id":1,"result":"a cake"}
            no subprotocol false 
            end 1 2 3
            {"title":"Busy","status":429,"detail":"That is too many."} 1 2 3
            closed
            """.ReplaceLineEndings("\n"),
            told);
    }

    /// <summary>The till over HTTP and WebSockets, beside a page; another origin's pages may call it, too.</summary>
    private sealed class TillHost : IAsyncDisposable
    {
        private readonly WebApplication _app;
        private readonly WebSocketServer _webSockets = new([new RpcJsonCodec(TillJson.Default)], [TillContract.Serve(new Till())]);

        public TillHost(string? admitted)
        {
            var builder = WebApplication.CreateSlimBuilder();
            builder.Logging.ClearProviders();
            builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0));
            builder.Services.AddCors();
            _app = builder.Build();
            var sockets = new WebSocketOptions();
            if (admitted is not null)
                sockets.AllowedOrigins.Add(admitted);
            _app.UseWebSockets(sockets);
            _app.UseCors();
            _app.MapRpc(BellContract.Serve(new Bell()), [new RpcJsonCodec(TillJson.Default)]);
            var calls = _app.MapRpc(TillContract.Serve(new Till()), [new RpcJsonCodec(TillJson.Default)]);
            if (admitted is not null)
                calls.RequireCors(policy => policy.WithOrigins(admitted).WithMethods("POST").WithHeaders("content-type", "tenant"));
            _app.MapRpcWebSockets("/rpc", _webSockets);
            _app.MapGet("/", () => Results.Content("<!doctype html><title>till</title>", "text/html"));
        }

        public string Origin => _app.Urls.Single();

        public Task StartAsync() => _app.StartAsync();

        public async ValueTask DisposeAsync()
        {
            await _app.DisposeAsync();
            await _webSockets.DisposeAsync();
        }
    }
}
