using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.Services;
using Postrider.Rpc;
using Postrider.Rpc.Server;
using Postrider.SystemTests.Rpc;

namespace Postrider.SystemTests.CommandLine;

/// <summary><c>postrider call</c>, against contracts that an application serves and describes, and against a NATS service.</summary>
public sealed class CallVerbTests : IAsyncLifetime
{
    private const string Id = "0f8fad5b-d9cb-469f-a165-70867728950e";

    private NatsBroker _broker = null!;
    private NatsClient _client = null!;
    private WebApplication _app = null!;

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync()
    {
        _broker = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort });
        _client = await NatsClient.ConnectAsync(_broker.Url!);
        var service = _client.AddService(new ServiceOptions { Name = "shop", Version = "1.0.0", Description = "Sells tea" });
        service.AddEndpoint<string, string>("price", (request, _) => ValueTask.FromResult(request.Data));
        service.AddEndpoint<string, string>("refuse", (_, _) => throw new NatsServiceException(409, "Sold out."));
        await _client.FlushAsync();

        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(static kestrel => kestrel.Listen(IPAddress.Loopback, 0));
        builder.Services.AddOpenApi("v1", static options => options.AddRpc());
        _app = builder.Build();
        _app.MapGroup("/api").MapRpc(DeskContract.Serve(new Desk()), [new RpcJsonCodec(DeskJson.Default)]);
        _app.MapGroup("/api/v1").MapRpc(ShelfContract.Serve(new Shelf()), [new RpcJsonCodec(ShelfJson.Default)]);
        _app.MapOpenApi("/openapi.json");
        await _app.StartAsync();
    }

    public async ValueTask DisposeAsync()
    {
        await _app.DisposeAsync();
        await _client.DisposeAsync();
        await _broker.DisposeAsync();
    }

    [Fact]
    public async Task Members_of_the_body_are_named()
    {
        var (code, output, errors) = await HttpAsync("desk/Join", "first=ab", "times=3", "separator=-");

        Assert.Equal((0, "\"ab-ab-ab\"", ""), (code, output, errors));
    }

    [Fact]
    public async Task Text_stays_text_whatever_it_looks_like()
    {
        var (code, output, _) = await HttpAsync("desk/Join", "first=12", "times=2");

        Assert.Equal((0, "\"1212\""), (code, output));
    }

    [Fact]
    public async Task Parameters_go_into_path_query_and_header()
    {
        var (code, output, errors) = await HttpAsync("shelf_Find", "shelf=a/b", "title=x y", "most=3");

        Assert.Equal((0, ""), (code, errors));
        Assert.Contains("a/b x y - 3", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Whole_body_may_be_given()
    {
        var (code, output, errors) = await HttpAsync("shelf/Add", "shelf=a", "X-Tenant=t1", "dry=true", "--body", $$"""{"Id":"{{Id}}","Title":"t","Year":1}""");

        Assert.Equal((0, ""), (code, errors));
        Assert.Contains("\"a t True t1\"", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Stream_is_shown_line_by_line()
    {
        var (code, output, _) = await HttpAsync("shelf/Count", "shelf=a", "last=6", "step=2");

        Assert.Equal((0, "2\n4\n6"), (code, output));
    }

    [Fact]
    public async Task Operation_is_found_by_its_route()
    {
        var (code, output, _) = await HttpAsync("GET /api/v1/echo/{first}-{second}", "first=x", "second=7");

        Assert.Equal(0, code);
        Assert.Contains("x 7", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Without_an_operation_all_are_listed()
    {
        var (code, output, _) = await HttpAsync();

        Assert.Equal(0, code);
        Assert.StartsWith("Operation", output, StringComparison.Ordinal);
        Assert.Contains("desk_Join", output, StringComparison.Ordinal);
        Assert.Contains("GET /api/v1/shelves/{shelf}/books/{id}", output, StringComparison.Ordinal);
        Assert.Contains("shelf id", output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("'shelf' is missing, which shelf_Find needs in its path. Give it as shelf=VALUE.", "shelf/Find")]
    [InlineData("shelf_Find has no parameter 'colr'. Parameters: shelf, ", "shelf/Find", "shelf=a", "colr=red")]
    [InlineData("'title' is not name=value. A whole body is given with --body.", "shelf/Find", "title")]
    [InlineData("'shelf' is given twice.", "shelf/Find", "shelf=a", "shelf=b")]
    [InlineData("The body is not JSON: ", "desk/Join", "--body", "{")]
    [InlineData(" has no operation 'desk/Nothing'. Operations: ", "desk/Nothing")]
    public async Task Mistake_is_named_before_anything_is_sent(string problem, params string[] args)
    {
        var (code, output, errors) = await HttpAsync(args);

        Assert.Equal((1, ""), (code, output));
        Assert.Contains(problem, errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Refusal_of_the_server_is_shown_and_ends_with_1()
    {
        var (code, output, errors) = await HttpAsync("shelf/Get", "shelf=a", "id=7");

        Assert.Equal((1, ""), (code, output));
        Assert.StartsWith("postrider: 400", errors, StringComparison.Ordinal);
        Assert.Contains("it must be a Guid", errors, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("not json", "is not JSON: ")]
    [InlineData("{}", "is not an OpenAPI document: it needs 'openapi' and 'paths'.")]
    [InlineData("""{"openapi":"3.1.0","paths":{"/a":{"get":{"operationId":"a"}}}}""", "The document does not say where its server is: use --url.")]
    [InlineData("""{"openapi":"3.1.0","paths":{"/a":{"get":{"operationId":"a","parameters":[{"$ref":"#/components/parameters/p"}]}}},"components":{"parameters":{"p":{"$ref":"#/components/parameters/p"}}}}""", "has circular references")]
    public async Task Document_that_cannot_be_used_is_named(string text, string problem)
    {
        var folder = ServerProcess.NewFolder();
        var file = Path.Combine(folder, "contract.json");
        await File.WriteAllTextAsync(file, text, Ct);

        var (code, _, errors) = await RunAsync("call", "--openapi", file, "a", problem.Contains("circular", StringComparison.Ordinal) ? "--url=http://127.0.0.1:1" : "--timeout=5s");

        Directory.Delete(folder, recursive: true);
        Assert.Equal(1, code);
        Assert.Contains(problem, errors, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("'times' is not text in the contract, and its value 'often' is not JSON.", "first=a", "times=often")]
    [InlineData("'first' is missing, which join needs in its body. Give it as first=VALUE.", "times=3")]
    [InlineData("join has no parameter 'last'. Parameters: first, times.", "first=a", "last=b")]
    public async Task Members_of_the_body_are_checked_against_the_schema(string problem, params string[] words)
    {
        var folder = ServerProcess.NewFolder();
        var file = Path.Combine(folder, "contract.json");
        await File.WriteAllTextAsync(file, """{"openapi":"3.0.0","paths":{"/join":{"post":{"operationId":"join","requestBody":{"content":{"application/json":{"schema":{"type":"object","required":["first"],"properties":{"first":{"type":"string"},"times":{"type":"integer"}}}}}}}}}}""", Ct);

        var (code, _, errors) = await RunAsync(["call", "--openapi", file, "--url", "http://127.0.0.1:1", "join", .. words]);

        Directory.Delete(folder, recursive: true);
        Assert.Equal(1, code);
        Assert.Contains(problem, errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Server_that_is_away_is_named()
    {
        var (code, _, errors) = await RunAsync("call", "--openapi", "http://127.0.0.1:1/openapi.json", "a");

        Assert.Equal(1, code);
        Assert.Contains("The document at http://127.0.0.1:1/openapi.json cannot be read: ", errors, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("""{"item":"tea","quantity":2,"gift":true}""", "item=tea", "quantity=2", "gift=true")]
    [InlineData("[1]", "--body", "[1]")]
    [InlineData("")]
    public async Task Service_is_called_with_what_its_arguments_make(string body, params string[] args)
    {
        var (code, output, errors) = await NatsAsync(["shop/price", .. args]);

        Assert.Equal((0, body, ""), (code, output, errors));
    }

    [Fact]
    public async Task Endpoints_are_listed()
    {
        var (code, output, _) = await NatsAsync();

        Assert.Equal((0, "Operation    Subject  Description\nshop/price   price    Sells tea\nshop/refuse  refuse   Sells tea"), (code, output));
    }

    [Theory]
    [InlineData("The service 'shop' has no endpoint 'cost'. Endpoints: price, refuse.", "shop/cost")]
    [InlineData("No service 'bakery' answers.", "bakery/price")]
    [InlineData("409 Sold out.", "shop/refuse", "item=tea")]
    public async Task Failure_of_a_service_is_named(string problem, params string[] args)
    {
        var (code, output, errors) = await NatsAsync(args);

        Assert.Equal((1, ""), (code, output));
        Assert.Contains(problem, errors, StringComparison.Ordinal);
    }

    private Task<(int Code, string Output, string Errors)> HttpAsync(params string[] args) => RunAsync(["call", "--openapi", new Uri(new Uri(_app.Urls.First()), "openapi.json").AbsoluteUri, .. args]);

    private Task<(int Code, string Output, string Errors)> NatsAsync(params string[] args) => RunAsync(["call", "--server", _broker.Url!, .. args]);

    private static async Task<(int Code, string Output, string Errors)> RunAsync(params string[] args)
    {
        using var verb = ServerProcess.Start("postrider", ServerProcess.NewFolder(), args);
        return (await verb.ExitAsync(), verb.Output, verb.Errors);
    }
}
