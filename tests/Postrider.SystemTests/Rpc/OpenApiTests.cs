using System.Net;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Rpc;
using Postrider.Rpc.Server;
using Postrider.Rpc.Soap;

namespace Postrider.SystemTests.Rpc;

/// <summary>The contract as OpenAPI describes it.</summary>
public sealed class OpenApiTests : IAsyncLifetime
{
    private WebApplication _app = null!;
    private JsonElement _document;

    public async ValueTask InitializeAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0));
        foreach (var document in (string[])["desk", "files", "all"])
            builder.Services.AddOpenApi(document, options => options.AddRpc());
        _app = builder.Build();
        var codec = new RpcJsonCodec(DeskJson.Default);
        _app.MapGroup("/api").MapRpc(DeskContract.Serve(new Desk()), [new RpcXmlSerializerCodec(), codec]).WithGroupName("desk");
        _app.MapGroup("/xml").MapRpc(DeskContract.Serve(new Desk()), [new RpcXmlSerializerCodec()]).WithGroupName("desk");
        _app.MapRpc(FilesContract.Serve(new Files()), [new RpcBytesCodec(codec)]).WithGroupName("files");
        _app.MapGroup("/both").MapRpc(DeskContract.Serve(new Desk()), [codec]).WithGroupName("all");
        _app.MapGet("/hours", () => "9 to 5").WithGroupName("all");
        _app.MapOpenApi("/{documentName}.json");
        await _app.StartAsync();
        _document = await ReadAsync("/desk.json");
    }

    public ValueTask DisposeAsync() => _app.DisposeAsync();

    [Fact]
    public void Document_names_the_service()
    {
        Assert.StartsWith("3.1.", Text("openapi"), StringComparison.Ordinal);
        Assert.Equal(("desk", "2.1.0"), (Text("info", "title"), Text("info", "version")));
    }

    [Fact]
    public void Every_operation_is_there()
    {
        var paths = At("paths").EnumerateObject().Select(p => p.Name).ToList();

        Assert.Equal(DeskContract.Serve(new Desk()).Operations.Select(o => $"/api/{o.Operation.Path}"), paths);
        Assert.All(At("paths").EnumerateObject(), p => Assert.Equal("post", Assert.Single(p.Value.EnumerateObject()).Name));
    }

    [Fact]
    public void Message_is_a_schema_of_its_own()
    {
        Assert.Equal("#/components/schemas/Ticket", Text("paths", "/api/desk/Open", "post", "requestBody", "content", "application/json", "schema", "$ref"));
        Assert.Equal("#/components/schemas/Ticket", Text("paths", "/api/desk/Open", "post", "responses", "200", "content", "application/json", "schema", "$ref"));
        Assert.Equal("uuid", Text("components", "schemas", "Ticket", "properties", "id", "format"));
        Assert.Equal("array", Text("components", "schemas", "Ticket", "properties", "tags", "type"));
    }

    [Fact]
    public void Parameters_are_the_properties_of_an_object()
    {
        var schema = At("paths", "/api/desk/Join", "post", "requestBody", "content", "application/json", "schema");

        Assert.Equal("object", schema.GetProperty("type").GetString());
        Assert.Equal(["first", "times", "separator"], schema.GetProperty("properties").EnumerateObject().Select(p => p.Name));
    }

    [Fact]
    public void Answers_are_those_of_the_kind()
    {
        Assert.Equal(["204", "default"], Answers("Clear"));
        Assert.Equal(["202", "default"], Answers("Note"));
        Assert.Equal(["200", "422", "default"], Answers("Buy"));
        Assert.True(At("paths", "/api/desk/CountTo", "post", "responses", "200", "content").TryGetProperty("application/jsonl", out _));
        Assert.True(At("paths", "/api/desk/Sum", "post", "requestBody", "content").TryGetProperty("application/jsonl", out _));
        Assert.False(At("paths", "/api/desk/Count", "post").TryGetProperty("requestBody", out _));
    }

    [Fact]
    public void Fault_has_its_name_and_its_detail()
    {
        var fault = At("paths", "/api/desk/Buy", "post", "responses", "422", "content", "application/problem+json", "schema", "oneOf")[0].GetProperty("properties");

        Assert.Equal("SoldOut", fault.GetProperty("title").GetProperty("const").GetString());
        Assert.Equal("#/components/schemas/SoldOut", fault.GetProperty("fault").GetProperty("$ref").GetString());
    }

    [Fact]
    public void Every_reference_leads_somewhere()
    {
        var references = References(_document).ToList();

        Assert.NotEmpty(references);
        Assert.All(references, reference => Assert.Equal(JsonValueKind.Object, At(reference.Split('/')[1..]).ValueKind));
    }

    [Fact]
    public async Task Bytes_are_described_as_bytes()
    {
        _document = await ReadAsync("/files.json");

        Assert.Equal("string binary", Described("files/Read", "responses", "200", "content", "application/octet-stream"));
        Assert.Equal("object", Text("paths", "/files/Take", "post", "requestBody", "content", "application/json", "schema", "type"));
        Assert.Equal("string binary", Described("files/Take", "responses", "200", "content", "application/octet-stream"));
        Assert.Equal("string binary", Described("files/Measure", "requestBody", "content", "application/octet-stream"));
        Assert.True(At("paths", "/files/Measure", "post", "responses", "200", "content").TryGetProperty("application/json", out _));
        Assert.Equal("SoldOut", At("paths", "/files/Fail", "post", "responses", "422", "content", "application/problem+json", "schema", "oneOf")[0].GetProperty("properties").GetProperty("title").GetProperty("const").GetString());
        var streamed = Assert.Single(At("paths", "/files/Cut", "post", "responses", "200", "content").EnumerateObject());
        Assert.Equal(("application/vnd.postrider.items+vnd.postrider.bytes+json", "binary"), (streamed.Name, streamed.Value.GetProperty("schema").GetProperty("format").GetString()));

        string Described(string path, params string[] content)
        {
            var schema = At(["paths", "/" + path, "post", .. content, "schema"]);
            return $"{schema.GetProperty("type").GetString()} {schema.GetProperty("format").GetString()}";
        }
    }

    [Fact]
    public void Contract_that_is_not_served_as_json_is_left_out()
        => Assert.DoesNotContain(At("paths").EnumerateObject(), path => path.Name.StartsWith("/xml", StringComparison.Ordinal));

    [Fact]
    public async Task Contracts_and_minimal_apis_share_a_document()
    {
        _document = await ReadAsync("/all.json");

        Assert.Equal("text/plain", Assert.Single(At("paths", "/hours", "get", "responses", "200", "content").EnumerateObject()).Name);
        Assert.Equal("#/components/schemas/Ticket", Text("paths", "/both/desk/Open", "post", "requestBody", "content", "application/json", "schema", "$ref"));
        Assert.NotEqual("desk", Text("info", "title"));
    }

    private static IEnumerable<string> References(JsonElement element) => element.ValueKind switch
    {
        JsonValueKind.Object => element.EnumerateObject().SelectMany(p => p.NameEquals("$ref") ? [p.Value.GetString()!] : References(p.Value)),
        JsonValueKind.Array => element.EnumerateArray().SelectMany(References),
        _ => [],
    };

    private async Task<JsonElement> ReadAsync(string path)
    {
        using var http = new HttpClient();
        return JsonDocument.Parse(await http.GetStringAsync(new Uri(_app.Urls.Single() + path))).RootElement.Clone();
    }

    private JsonElement At(params string[] path) => path.Aggregate(_document, (at, name) => at.GetProperty(name));

    private string? Text(params string[] path) => At(path).GetString();

    private IEnumerable<string> Answers(string operation) => At("paths", $"/api/desk/{operation}", "post", "responses").EnumerateObject().Select(p => p.Name);
}
