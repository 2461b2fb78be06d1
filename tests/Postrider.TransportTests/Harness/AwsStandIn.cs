using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using Postrider.Transport.Aws;

namespace Postrider.TransportTests.Harness;

/// <summary>Answers as a test says: what AWS answers and moto does not.</summary>
internal sealed class AwsStandIn : IAsyncDisposable
{
    private readonly WebApplication _server;

    private AwsStandIn(WebApplication server) => _server = server;

    internal AwsOptions Options => new()
    {
        Region = "eu-central-1",
        Endpoint = new Uri(_server.Urls.First()),
        AccountId = "123456789012",
        AccessKey = "AKIDEXAMPLE",
        SecretKey = "secret",
        Throughput = new() { MaxRequests = 1 },
        Retry = new() { SendAttempts = 3, MaxPause = TimeSpan.FromMilliseconds(100) },
    };

    /// <summary>Starts on a free port.</summary>
    /// <param name="answer">Gets the operation, the body and the header Authorization, and returns status and text.</param>
    internal static async Task<AwsStandIn> StartAsync(Func<string, string, string, Task<(int Status, string Text)>> answer)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        var server = builder.Build();
        server.Run(async context =>
        {
            using var reader = new StreamReader(context.Request.Body);
            var body = await reader.ReadToEndAsync();
            var target = context.Request.Headers["X-Amz-Target"].ToString();
            var operation = target.Length > 0 ? target[(target.IndexOf('.', StringComparison.Ordinal) + 1)..] : body.Split('&')[0]["Action=".Length..];
            (context.Response.StatusCode, var text) = await answer(operation, body, context.Request.Headers.Authorization.ToString());
            context.Response.ContentType = text.StartsWith('{') ? "application/x-amz-json-1.0" : text.StartsWith("<!", StringComparison.Ordinal) ? "text/html" : "text/xml";
            await context.Response.WriteAsync(text);
        });
        await server.StartAsync();
        return new(server);
    }

    public ValueTask DisposeAsync() => _server.DisposeAsync();
}
