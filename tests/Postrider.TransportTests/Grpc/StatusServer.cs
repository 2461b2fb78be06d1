using System.Globalization;
using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Logging;

namespace Postrider.TransportTests.Grpc;

/// <summary>A server that answers every call of the inbox with one status.</summary>
internal sealed class StatusServer : IAsyncDisposable
{
    private readonly WebApplication _app;
    private int _calls;

    private StatusServer(WebApplication app) => _app = app;

    /// <summary>The status; 0 answers with an empty receipt.</summary>
    public int Status { get; set; }

    public string? Error { get; set; }

    public int Calls => Volatile.Read(ref _calls);

    public Uri Address => new(_app.Urls.Single());

    public static async Task<StatusServer> StartAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(static kestrel => kestrel.Listen(IPAddress.Loopback, 0, static listen => listen.Protocols = HttpProtocols.Http2));
        var server = new StatusServer(builder.Build());
        server._app.MapPost("/postrider.messages.v1.Inbox/{method}", server.AnswerAsync);
        await server._app.StartAsync();
        return server;
    }

    public ValueTask DisposeAsync() => _app.DisposeAsync();

    private async Task AnswerAsync(HttpContext http)
    {
        Interlocked.Increment(ref _calls);
        await http.Request.Body.CopyToAsync(Stream.Null);
        http.Response.ContentType = "application/grpc";
        if (Status == 0)
            await http.Response.Body.WriteAsync(new byte[5]);
        http.Response.AppendTrailer("grpc-status", Status.ToString(CultureInfo.InvariantCulture));
        http.Response.AppendTrailer("grpc-message", "so it is");
        if (Error is not null)
            http.Response.AppendTrailer("postrider-error", Error);
    }
}
