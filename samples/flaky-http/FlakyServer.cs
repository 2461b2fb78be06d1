using System.Diagnostics;
using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace FlakyHttp;

/// <summary>A server on this machine that fails occasionally, rejects requests that arrive too fast, and is down for a while.</summary>
internal sealed class FlakyServer : IAsyncDisposable
{
    private const int CallsPerSecond = 150;
    private const int CallsBeforeOutage = 100;
    private const int LeastRefusals = 6;

    private readonly WebApplication _app;
    private static readonly TimeSpan LeastOutage = TimeSpan.FromMilliseconds(400);

    private readonly Lock _gate = new();   // guards the counts of this second and of the outage
    private long _second;
    private int _callsInSecond;
    private long _downSince;
    private int _refusals;
    private int _calls;

    private FlakyServer(WebApplication app) => _app = app;

    public Uri Address => new(_app.Urls.First());

    public int Calls => Volatile.Read(ref _calls);

    public static async Task<FlakyServer> StartAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0));
        var server = new FlakyServer(builder.Build());
        server._app.MapGet("/orders/{id:int}", server.AnswerAsync);
        await server._app.StartAsync();
        return server;
    }

    public ValueTask DisposeAsync() => _app.DisposeAsync();

    private async Task<IResult> AnswerAsync(int id, HttpResponse response)
    {
        var call = Interlocked.Increment(ref _calls);
        if (IsDown(call))
            return Results.StatusCode(StatusCodes.Status503ServiceUnavailable);
        if (IsTooFast())
        {
            response.Headers.RetryAfter = "1";
            return Results.StatusCode(StatusCodes.Status429TooManyRequests);
        }
        await Task.Delay(5);
        return call % 11 == 0 ? Results.StatusCode(StatusCodes.Status500InternalServerError) : Results.Text($"order {id}");
    }

    /// <summary>One outage, which ends neither before its time nor before a client has noticed it.</summary>
    private bool IsDown(int call)
    {
        lock (_gate)
        {
            if (call < CallsBeforeOutage || (_downSince != 0 && _refusals >= LeastRefusals && Stopwatch.GetElapsedTime(_downSince) >= LeastOutage))
                return false;
            if (_downSince == 0)
                _downSince = Stopwatch.GetTimestamp();
            _refusals++;
            return true;
        }
    }

    private bool IsTooFast()
    {
        lock (_gate)
        {
            var second = Environment.TickCount64 / 1000;
            if (second != _second)
                (_second, _callsInSecond) = (second, 0);
            return ++_callsInSecond > CallsPerSecond;
        }
    }
}
