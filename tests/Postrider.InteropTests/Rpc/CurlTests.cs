using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.InteropTests.Harness;
using Postrider.Rpc;
using Postrider.Rpc.Server;

namespace Postrider.InteropTests.Rpc;

/// <summary>A contract over HTTP as curl sees it.</summary>
public sealed class CurlTests : IAsyncLifetime
{
    private WebApplication _app = null!;

    public async ValueTask InitializeAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0));
        _app = builder.Build();
        _app.MapRpc(TillContract.Serve(new Till()), [new RpcJsonCodec(TillJson.Default)]);
        await _app.StartAsync();
    }

    public ValueTask DisposeAsync() => _app.DisposeAsync();

    [Theory]
    [InlineData("Add", "application/json", """{"first":2,"second":40}""", "42\n200 application/json")]
    [InlineData("Take", "application/json", "\"cake\"", "\"a cake\"\n200 application/json")]
    [InlineData("Take", "application/json", "\"tea\"", """{"title":"SoldOut","status":422,"detail":"No tea is left.","fault":{"item":"tea","left":0}}""" + "\n422 application/problem+json")]
    [InlineData("Count", "application/json", "3", "1\n2\n3\n\n200 application/jsonl")]
    [InlineData("Count", "application/json", "9", "1\n2\n3\n!" + """{"title":"Busy","status":429,"detail":"That is too many."}""" + "\n\n200 application/jsonl")]
    [InlineData("Sum", "application/jsonl", "\"label\"\n1\n2\n39\n", "42\n200 application/json")]
    [InlineData("Add", "text/plain", "2", """{"title":"Unsupported","status":415,"detail":"Unsupported content type 'text/plain'. Supported: application/json."}""" + "\n415 application/problem+json")]
    public async Task Curl_calls_a_contract(string operation, string type, string body, string answer)
        => Assert.Equal(answer, await CurlAsync("-H", $"content-type: {type}", "--data-binary", body, $"{_app.Urls.Single()}/till/{operation}"));

    [Fact]
    public async Task Curl_sends_a_stream_whose_length_it_does_not_tell()
        => Assert.Equal(
            "42\n200 application/json",
            await CurlAsync("-H", "content-type: application/jsonl", "-H", "transfer-encoding: chunked", "--data-binary", "\"\"\n42", $"{_app.Urls.Single()}/till/Sum"));

    private static async Task<string> CurlAsync(params string[] arguments)
        => (await ForeignProgram.RunAsync("curl", ["-sN", "--max-time", "60", "-w", "\n%{http_code} %{content_type}", .. arguments])).TrimEnd('\r');
}
