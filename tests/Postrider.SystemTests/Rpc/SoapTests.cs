using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Xml.Linq;
using System.Xml.Schema;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Rpc;
using Postrider.Rpc.Server;
using Postrider.Rpc.Soap;
using Postrider.Rpc.Soap.Server;
using Postrider.Xml;

namespace Postrider.SystemTests.Rpc;

[XmlSerializable(typeof(IDesk))]
internal sealed partial class DeskXml : XmlContext;

/// <summary>The contract by SOAP on Kestrel.</summary>
public abstract class SoapTests : CallContract
{
    private WebApplication _app = null!;

    private protected Uri Address { get; private set; } = null!;

    private protected abstract SoapChannelOptions Options { get; }

    private protected override async ValueTask<RpcChannel> StartAsync(RpcService service)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        _app = builder.Build();
        _app.MapSoap("/desk.svc", service, DeskXml.Default);
        _app.MapRpc(service, [new RpcXmlCodec(DeskXml.Default)]);
        await _app.StartAsync();
        Address = new Uri(_app.Urls.Single() + "/desk.svc");
        return new SoapChannel(Address, DeskXml.Default, Options);
    }

    private protected override async ValueTask StopAsync() => await _app.DisposeAsync();
}

public sealed class Soap11Tests : SoapTests
{
    private const string Envelope11 = "http://schemas.xmlsoap.org/soap/envelope/";
    private const string Envelope12 = "http://www.w3.org/2003/05/soap-envelope";
    private const string Begin = $"<s:Envelope xmlns:s=\"{Envelope11}\"><s:Body>";
    private const string End = "</s:Body></s:Envelope>";
    private const string Count = "<Count xmlns=\"http://tempuri.org/\"/>";

    private protected override SoapChannelOptions Options => new();

    public static TheoryData<string, string, int, string> Requests => new()
    {
        // content type, body, status, what the answer holds
        { "text/xml", Begin + Count + End, 200, "<CountResult>0</CountResult>" },
        { "text/xml; charset=utf-8", "\uFEFF<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + Begin + Count + End, 200, "<CountResult>0</CountResult>" },
        { "application/soap+xml; action=\"urn:other\"", (Begin + Count + End).Replace(Envelope11, Envelope12, StringComparison.Ordinal), 200, "<CountResult>0</CountResult>" },
        { "text/xml", $"<s:Envelope xmlns:s=\"{Envelope11}\"><s:Header><a s:mustUnderstand=\"0\"/></s:Header><s:Body>{Count}{End}", 200, "CountResult" },
        { "text/xml", $"<s:Envelope xmlns:s=\"{Envelope11}\"><s:Header><a s:mustUnderstand=\"1\" s:actor=\"urn:somebody\"/></s:Header><s:Body>{Count}{End}", 200, "CountResult" },
        { "text/xml", $"<s:Envelope xmlns:s=\"{Envelope11}\"><s:Header><a s:mustUnderstand=\"1\"/></s:Header><s:Body>{Count}{End}", 500, "<faultcode>s:MustUnderstand</faultcode>" },
        { "text/xml", $"<s:Envelope xmlns:s=\"{Envelope11}\"><s:Header><a xmlns=\"http://tempuri.org/\" s:mustUnderstand=\"1\">b</a></s:Header><s:Body>{Count}{End}", 500, "MustUnderstand" },
        { "text/xml", Begin + "<Join xmlns=\"http://tempuri.org/\"><times>2</times><unknown><deep/></unknown><first>ab</first></Join>" + End, 200, "<JoinResult>abab</JoinResult>" },
        { "text/xml", Begin + "<Join xmlns=\"http://tempuri.org/\"><times>2</times><times>3</times></Join>" + End, 500, "occurs twice" },
        { "text/xml", Begin + "<Join xmlns=\"http://tempuri.org/\"><times>many</times></Join>" + End, 500, "<faultcode>s:Client</faultcode>" },
        { "text/xml", Begin + "<Buy xmlns=\"http://tempuri.org/\"><count>101</count></Buy>" + End, 500, "<detail><SoldOut xmlns=\"http://schemas.datacontract.org/2004/07/Postrider.SystemTests.Rpc\"" },
        { "text/xml", Begin + "<Buy xmlns=\"http://tempuri.org/\"><count>0</count></Buy>" + End, 500, "<faultcode>s:Server</faultcode><faultstring xml:lang=\"en\">The operation failed.</faultstring>" },
        { "application/soap+xml", (Begin + "<Buy xmlns=\"http://tempuri.org/\"><count>101</count></Buy>" + End).Replace(Envelope11, Envelope12, StringComparison.Ordinal), 500, "<s:Value>s:Sender</s:Value>" },
        { "text/xml", Begin + "<Note xmlns=\"http://tempuri.org/\"><text>x</text></Note>" + End, 202, "" },

        // Addressed, as WCF's WSHttpBinding is.
        { "application/soap+xml", $"<s:Envelope xmlns:s=\"{Envelope12}\" xmlns:a=\"http://www.w3.org/2005/08/addressing\"><s:Header><a:Action s:mustUnderstand=\"1\">http://tempuri.org/desk/Count</a:Action><a:MessageID>urn:uuid:1</a:MessageID><a:ReplyTo><a:Address>http://www.w3.org/2005/08/addressing/anonymous</a:Address></a:ReplyTo></s:Header><s:Body>{Count}{End}", 200, "urn:uuid:1</w:RelatesTo>" },

        // Nothing that can be called.
        { "application/json", "{}", 415, "" },
        { "text/plain", Begin + Count + End, 415, "" },
        { "", Begin + Count + End, 415, "" },
        { "multipart/related", Begin + Count + End, 415, "" },
        { "text/xml", "", 500, "EndOfInput" },
        { "text/xml", "not xml", 500, "s:Client" },
        { "text/xml", "{\"a\":1}", 500, "s:Client" },
        { "text/xml", "<a/>", 500, "not the Envelope" },
        { "text/xml", "<s:Envelope xmlns:s=\"urn:soap\"/>", 500, "not the Envelope" },
        { "text/xml", (Begin + Count + End).Replace(Envelope11, Envelope12, StringComparison.Ordinal), 500, "content type" },
        { "application/soap+xml", Begin + Count + End, 500, "content type" },
        { "text/xml", $"<s:Envelope xmlns:s=\"{Envelope11}\"/>", 500, "no Body" },
        { "text/xml", $"<s:Envelope xmlns:s=\"{Envelope11}\"><s:Header/><s:Header/><s:Body/></s:Envelope>", 500, "Header" },
        { "text/xml", $"<s:Envelope xmlns:s=\"{Envelope11}\"><other/></s:Envelope>", 500, "expected Body" },
        { "text/xml", Begin + End, 500, "The Body is empty" },
        { "text/xml", Begin + "<Nothing xmlns=\"http://tempuri.org/\"/>" + End, 500, "Unknown operation" },
        { "text/xml", Begin + "<Count/>" + End, 500, "Unknown operation" },
        { "text/xml", Begin + "<CountTo xmlns=\"http://tempuri.org/\"><last>3</last></CountTo>" + End, 500, "Unknown operation" },
        { "text/xml", Begin + Count + Count + End, 500, "second element" },
        { "text/xml", Begin + Count + End + "<more/>", 500, "Unexpected content after the root element" },
        { "text/xml", Begin + Count, 500, "s:Client" },
        { "text/xml", Begin + "<Count xmlns=\"http://tempuri.org/\">", 500, "s:Client" },
        { "text/xml", "<!DOCTYPE s:Envelope [<!ENTITY a \"b\">]>" + Begin + Count + End, 500, "Document type" },
        { "text/xml", Begin + "<Note xmlns=\"http://tempuri.org/\"><text>&lol;</text></Note>" + End, 500, "is not a predefined entity" },
        { "text/xml", Begin + "<Note xmlns=\"http://tempuri.org/\"><text>&#0;</text></Note>" + End, 500, "is not a predefined entity" },
        { "text/xml", Begin + "<Note xmlns=\"http://tempuri.org/\"><text>\u0001</text></Note>" + End, 500, "is not allowed in XML" },
        { "text/xml", Begin + string.Concat(Enumerable.Repeat("<a>", 50_000)) + End, 500, "Unknown operation" },
        { "text/xml", Begin + "<Count xmlns=\"http://tempuri.org/\">" + string.Concat(Enumerable.Repeat("<a>", 50_000)) + End, 500, "nested deeper" },
        { "text/xml", $"<s:Envelope xmlns:s=\"{Envelope11}\"><s:Header>{string.Concat(Enumerable.Repeat("<a/>", 1000))}</s:Header><s:Body>{Count}{End}", 500, "header blocks" },
        { "text/xml", $"<s:Envelope xmlns:s=\"{Envelope11}\"><s:Body a=''{string.Concat(Enumerable.Range(0, 1000).Select(i => $" a{i}=''"))}>{Count}{End}", 500, "attributes" },
        { "text/xml; charset=utf-16", "<?xml version=\"1.0\" encoding=\"utf-16\"?>" + Begin + Count + End, 500, "UTF-16" },
    };

    [Theory]
    [MemberData(nameof(Requests))]
    public async Task Request_is_answered_as_SOAP_says(string type, string body, int status, string holds)
    {
        using var http = new HttpClient();
        using var content = new ByteArrayContent(Encoding.UTF8.GetBytes(body));
        content.Headers.ContentType = type.Length == 0 ? null : MediaTypeHeaderValue.Parse(type);

        using var response = await http.PostAsync(Address, content).WaitAsync(Patience);

        var answer = await response.Content.ReadAsStringAsync();
        Assert.True(status == (int)response.StatusCode, $"{response.StatusCode}: {answer}");
        Assert.Contains(holds == "EndOfInput" ? "ends at byte 0" : holds, answer, StringComparison.Ordinal);
        if (status is 200 or 500)
            Assert.Equal((body.Contains(Envelope12, StringComparison.Ordinal) && type.StartsWith("application", StringComparison.Ordinal)) || type == "application/soap+xml" ? "application/soap+xml" : "text/xml", response.Content.Headers.ContentType?.MediaType);
        Assert.Equal(0, await Client.CountAsync());
    }

    [Fact]
    public async Task Bytes_that_are_no_UTF8_are_refused_and_the_next_call_works()
    {
        using var http = new HttpClient();
        using var content = new ByteArrayContent([.. Encoding.UTF8.GetBytes(Begin), 0xC3, 0x28, .. Encoding.UTF8.GetBytes(End)]);
        content.Headers.ContentType = MediaTypeHeaderValue.Parse("text/xml");

        using var response = await http.PostAsync(Address, content).WaitAsync(Patience);

        Assert.Contains("not UTF-8", await response.Content.ReadAsStringAsync(), StringComparison.Ordinal);
        Assert.Equal(0, await Client.CountAsync());
    }

    [Fact]
    public async Task Address_asked_for_nothing_is_for_posts()
    {
        using var http = new HttpClient();

        using var response = await http.GetAsync(Address).WaitAsync(Patience);

        Assert.Equal(HttpStatusCode.MethodNotAllowed, response.StatusCode);
    }

    [Fact]
    public async Task Wsdl_has_schemas_that_compile_and_the_address_that_was_asked()
    {
        using var http = new HttpClient();

        var single = XDocument.Parse(await http.GetStringAsync(Address + "?singleWsdl").WaitAsync(Patience));
        var split = XDocument.Parse(await http.GetStringAsync(Address + "?wsdl").WaitAsync(Patience));

        XNamespace schema = "http://www.w3.org/2001/XMLSchema";
        var set = new XmlSchemaSet { XmlResolver = null };
        foreach (var one in single.Descendants(schema + "schema"))
            set.Add(null, one.CreateReader());
        set.Compile();
        Assert.NotNull(set.GlobalElements[new System.Xml.XmlQualifiedName("Open", "http://tempuri.org/")]);
        Assert.NotNull(set.GlobalElements[new System.Xml.XmlQualifiedName("SoldOut", "http://schemas.datacontract.org/2004/07/Postrider.SystemTests.Rpc")]);
        Assert.Null(set.GlobalElements[new System.Xml.XmlQualifiedName("CountTo", "http://tempuri.org/")]);
        Assert.Equal(2, single.Descendants().Count(e => e.Name.LocalName == "address" && e.Attribute("location")?.Value == Address.AbsoluteUri));
        var imports = split.Descendants(schema + "import").Select(i => i.Attribute("schemaLocation")!.Value).ToList();
        Assert.Equal(single.Descendants(schema + "schema").Count(), imports.Count);
        foreach (var import in imports)
            Assert.Equal("schema", XDocument.Parse(await http.GetStringAsync(import).WaitAsync(Patience)).Root!.Name.LocalName);
    }

    [Fact]
    public async Task Same_contract_is_called_in_plain_XML()
    {
        await using var channel = new HttpChannel(new Uri(Address, "/"), new RpcXmlCodec(DeskXml.Default));
        var client = new DeskClient(channel);

        var opened = await client.OpenAsync(new Ticket(Guid.Empty, "plain", ["x"]));

        Assert.Equal("PLAIN", opened.Subject);
        Assert.Equal("a-a", await client.JoinAsync("a", 2, "-"));
        var fault = await Assert.ThrowsAsync<Postrider.Rpc.RpcFaultException<SoldOut>>(async () => await client.BuyAsync(101));
        Assert.Equal(new SoldOut(100, "tea"), fault.Detail);
    }
}

public sealed class Soap12Tests : SoapTests
{
    private protected override SoapChannelOptions Options => new() { Version = SoapVersion.Soap12, UsesAddressing = true };
}
