using System.IO.Compression;
using System.Net;
using System.Net.Http.Headers;
using System.Security.Claims;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
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

namespace Postrider.SystemTests.Rpc;

/// <summary>What SOAP has beside envelopes: attachments, gzip, addresses, passwords; and contracts that are more than methods with a result.</summary>
public sealed class SoapExtensionTests : IAsyncLifetime
{
    private const string Envelope11 = "http://schemas.xmlsoap.org/soap/envelope/";
    private const string Addressing = "http://www.w3.org/2005/08/addressing";
    private const string Security = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
    private const string Utility = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";
    private const int MostBytes = 1024 * 1024;
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(60);

    private readonly X509Certificate2 _certificate = Certificate();
    private HttpClient _http = null!;
    private WebApplication _app = null!;

    private Uri Address => new(_app.Urls.Single(u => u.StartsWith("http:", StringComparison.Ordinal)) + "/mail.svc");

    private Uri Secure => new(_app.Urls.Single(u => u.StartsWith("https:", StringComparison.Ordinal)) + "/secure.svc");

    public async ValueTask InitializeAsync()
    {
        _http = new HttpClient(new SocketsHttpHandler { SslOptions = { RemoteCertificateValidationCallback = (_, shown, _, _) => shown?.GetCertHashString() == _certificate.GetCertHashString() } });
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseKestrelHttpsConfiguration();
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.Listen(IPAddress.Loopback, 0);
            kestrel.Listen(IPAddress.Loopback, 0, listen => listen.UseHttps(_certificate));
        });
        _app = builder.Build();
        var service = MailContract.Serve(new Mail());
        _app.MapSoap("/mail.svc", service, MailXml.Default, new SoapServerOptions { Compresses = true, MaxMessageBytes = MostBytes });
        _app.MapSoap("/secure.svc", service, MailXml.Default, new SoapServerOptions { Authenticate = AuthenticateAsync });
        _app.MapRpc(service, [new RpcXmlCodec(MailXml.Default)]);
        await _app.StartAsync();
    }

    public async ValueTask DisposeAsync()
    {
        _http.Dispose();
        await _app.DisposeAsync();
        _certificate.Dispose();
    }

    [Fact]
    public async Task Fault_of_a_package_whose_envelope_cannot_be_read_is_in_the_version_that_its_type_names()
    {
        using var content = new StringContent("--b\r\nContent-Type: application/xop+xml\r\n\r\n<broken\r\n--b--\r\n");
        content.Headers.Remove("Content-Type");
        content.Headers.TryAddWithoutValidation("Content-Type", "multipart/related; type=\"application/xop+xml\"; start-info=\"application/soap+xml\"; boundary=\"b\"");

        using var response = await _http.PostAsync(Address, content, TestContext.Current.CancellationToken);

        Assert.Equal("application/soap+xml", response.Content.Headers.ContentType?.MediaType);
    }

    [Theory]
    [InlineData(SoapVersion.Soap11, false, false, false)]
    [InlineData(SoapVersion.Soap12, false, false, false)]
    [InlineData(SoapVersion.Soap11, true, false, false)]
    [InlineData(SoapVersion.Soap12, true, true, false)]
    [InlineData(SoapVersion.Soap11, false, true, true)]
    [InlineData(SoapVersion.Soap12, true, true, true)]
    public async Task Contract_is_called_in_every_way(SoapVersion version, bool addresses, bool attaches, bool compresses)
    {
        await using var channel = new SoapChannel(
            Address, MailXml.Default, new SoapChannelOptions { Version = version, UsesAddressing = addresses, UsesAttachments = attaches, Compresses = compresses });
        var client = new MailClient(channel);
        var left = 2;

        Assert.True(client.TryTake("a", ref left, out var text));
        Assert.Equal((1, "a1"), (left, text));
        client.Split("xyz", out var first, out var second);
        Assert.Equal(("x", "yz"), (first, second));
        var seal = new byte[10_000];
        new Random(7).NextBytes(seal);
        var letter = client.Forward(new Parcel { Text = "one", Seal = seal, Weight = 3 });
        Assert.Equal(("one forwarded", 3), (letter.Text, Assert.IsType<Parcel>(letter).Weight));
        Assert.Equal(seal, letter.Seal);
        Assert.Equal("two returned", client.Return(new Letter { Text = "two" }).Text);
        var flushed = client.Count();
        client.Flush();
        Assert.Equal(flushed + 1, client.Count());
        Assert.Equal(seal, client.Copy(seal));
        Assert.Empty(client.Copy([]));
    }

    [Fact]
    public async Task Parameters_that_are_passed_back_travel_over_other_transports()
    {
        await using var channel = new HttpChannel(new Uri(Address, "/"), new RpcXmlCodec(MailXml.Default));
        var client = new MailClient(channel);
        var left = 0;

        Assert.False(client.TryTake("a", ref left, out var text));

        Assert.Equal((-1, null), (left, text));
    }

    [Fact]
    public async Task Wsdl_of_bare_and_inherited_operations_has_schemas_that_compile()
    {
        var wsdl = XDocument.Parse(await _http.GetStringAsync(Address + "?singleWsdl").WaitAsync(s_patience));

        XNamespace schema = "http://www.w3.org/2001/XMLSchema";
        var set = new XmlSchemaSet { XmlResolver = null };
        foreach (var one in wsdl.Descendants(schema + "schema"))
            set.Add(null, one.CreateReader());
        set.Compile();
        Assert.NotNull(set.GlobalElements[new System.Xml.XmlQualifiedName("Count", "urn:box")]);
        Assert.NotNull(set.GlobalElements[new System.Xml.XmlQualifiedName("Letter", "urn:letters")]);
        Assert.NotNull(set.GlobalTypes[new System.Xml.XmlQualifiedName("Parcel", "urn:letters")]);
        Assert.Null(set.GlobalElements[new System.Xml.XmlQualifiedName("Forward", "urn:mail")]);
        Assert.Contains(wsdl.Descendants(), e => e.Attribute("soapAction")?.Value == "urn:box/Box/Count");
        Assert.Contains(wsdl.Descendants(), e => e.Attribute("soapAction")?.Value == "urn:mail/Mail/Flush");
    }

    [Fact]
    public async Task Small_body_that_unpacks_to_much_is_refused_and_the_next_call_works()
    {
        var bomb = Packed(Encoding.UTF8.GetBytes($"<s:Envelope xmlns:s=\"{Envelope11}\">" + new string(' ', 64 * MostBytes)));

        var (status, text) = await PostAsync(Address, bomb, "text/xml", ("Content-Encoding", "gzip"));

        Assert.Equal(500, status);
        Assert.Contains($"exceeds the limit {MostBytes}", text, StringComparison.Ordinal);
        Assert.True(bomb.Length < MostBytes);
        Assert.Equal(200, (await CallAsync("<Count xmlns=\"urn:box\"/>")).Status);
    }

    [Theory]
    [InlineData("gzip", 500, "not valid gzip")]
    [InlineData("br", 415, "")]
    [InlineData("gzip, gzip", 415, "")]
    [InlineData("identity", 200, "CountResult")]
    public async Task Encodings_that_are_none_are_refused(string encoding, int status, string holds)
    {
        var (answered, text) = await PostAsync(Address, Envelope("", "<Count xmlns=\"urn:box\"/>"), "text/xml", ("Content-Encoding", encoding));

        Assert.Equal(status, answered);
        Assert.Contains(holds, text, StringComparison.Ordinal);
    }

    public static TheoryData<string, string, int, string> Packages => new()
    {
        { "boundary=b", "--b\r\n\r\n{0}\r\n--b--", 200, "CountResult" },
        { "boundary=b; start=\"<x>\"", "before\r\n--b \r\nContent-ID: <a>\r\n\r\nother\r\n--b\r\nContent-Id:\r\n <x>\r\n\r\n{0}\r\n--b--after", 200, "CountResult" },
        { "boundary=b; type=\"text/xml\"", "--b\r\n\r\n{0}\r\n--b\r\n\r\n--b--", 200, "CountResult" },
        { "boundary=b; start=\"<y>\"", "--b\r\nContent-ID: <x>\r\n\r\n{0}\r\n--b--", 500, "No part is the envelope" },
        { "boundary=b", "", 500, "does not contain its boundary" },
        { "boundary=b", "--b--", 500, "No part is the envelope" },
        { "boundary=b", "--b", 500, "The headers of the part at byte" },
        { "boundary=b", "--b\r\n\r\n{0}", 500, "is incomplete" },
        { "boundary=b", "--b\r\nContent-Transfer-Encoding: base64\r\n\r\n{0}\r\n--b--", 500, "Content-Transfer-Encoding &apos;base64&apos;" },
        { "boundary=b", "--b\r\n\r\n{0}\r\n--b\r\nContent-ID: <a>\r\n\r\n1\r\n--b\r\nContent-ID: <a>\r\n\r\n2\r\n--b--", 500, "Two parts have the Content-ID" },
        { "type=\"application/xop+xml\"", "{0}", 415, "" },
        { "boundary=b; type=\"image/png\"", "--b\r\n\r\n{0}\r\n--b--", 415, "" },
    };

    [Theory]
    [MemberData(nameof(Packages))]
    public async Task Parts_are_read_as_MIME_says(string parameters, string body, int status, string holds)
    {
        var bytes = Encoding.UTF8.GetBytes(body.Replace("{0}", Encoding.UTF8.GetString(Envelope("", "<Count xmlns=\"urn:box\"/>")), StringComparison.Ordinal));

        var (answered, text) = await PostAsync(Address, bytes, "multipart/related; " + parameters);

        Assert.True(status == answered, text);
        Assert.Contains(holds, text.Replace("'", "&apos;", StringComparison.Ordinal), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("<i:Include href='cid:p'/>", 200, "AQID")]
    [InlineData(" <i:Include href='cid:%70'/> ", 200, "AQID")]
    [InlineData("<i:Include href='cid:q'/>", 500, "does not exist or is referenced twice")]
    [InlineData("<i:Include href='p'/>", 500, "does not exist or is referenced twice")]
    [InlineData("<i:Include/>", 500, "Expected base64 at")]
    [InlineData("<Include href='cid:p'/>", 500, "Expected base64 at")]
    [InlineData("<i:Include href='cid:p'/><i:Include href='cid:p'/>", 500, "Expected the end of base64")]
    [InlineData("AQID", 200, "AQID")]
    public async Task References_mean_attachments_once(string content, int status, string holds)
    {
        var envelope = Encoding.UTF8.GetString(Envelope("", $"<Copy xmlns=\"urn:mail\" xmlns:i=\"http://www.w3.org/2004/08/xop/include\"><bytes>{content}</bytes></Copy>"));
        var bytes = Encoding.UTF8.GetBytes($"--b\r\n\r\n{envelope}\r\n--b\r\nContent-ID: <p>\r\n\r\n\u0001\u0002\u0003\r\n--b--");

        var (answered, text) = await PostAsync(Address, bytes, "multipart/related; boundary=b");

        Assert.True(status == answered, text);
        Assert.Contains(holds, text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Without_attachments_a_reference_is_refused()
    {
        var (status, text) = await CallAsync("<Copy xmlns=\"urn:mail\"><bytes><i:Include xmlns:i=\"http://www.w3.org/2004/08/xop/include\" href=\"cid:p\"/></bytes></Copy>");

        Assert.Equal(500, status);
        Assert.Contains("Expected text at", text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("<a:Action>urn:box/Box/Count</a:Action><a:MessageID>urn:1</a:MessageID>", 200, "urn:1</w:RelatesTo>")]
    [InlineData("<a:Action>urn:box/Box/Count</a:Action><a:To s:mustUnderstand='1'>http://elsewhere</a:To>", 200, "urn:box/Box/CountResponse</w:Action>")]
    [InlineData("<a:Action>urn:box/Box/Count</a:Action><a:ReplyTo><a:Address>http://www.w3.org/2005/08/addressing/none</a:Address></a:ReplyTo>", 202, "")]
    [InlineData("<a:Action>urn:box/Box/Count</a:Action><a:ReplyTo><a:Address>http://elsewhere</a:Address></a:ReplyTo>", 500, ">c:OnlyAnonymousAddressSupported<")]
    [InlineData("<a:Action>urn:other</a:Action><a:MessageID>urn:1</a:MessageID>", 500, ">c:ActionNotSupported<")]
    [InlineData("<a:MessageID>urn:1</a:MessageID>", 500, ">c:MessageAddressingHeaderRequired<")]
    [InlineData("<a:Action>urn:box/Box/Count</a:Action><a:Action>urn:box/Box/Count</a:Action>", 500, ">c:InvalidAddressingHeader<")]
    public async Task Addresses_are_answered_as_WS_Addressing_says(string headers, int status, string holds)
    {
        var (answered, text) = await CallAsync("<Count xmlns=\"urn:box\"/>", headers);

        Assert.True(status == answered, text);
        Assert.Contains(holds, text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Name_and_password_are_checked()
    {
        await using var known = new SoapChannel(_http, Secure, MailXml.Default, new SoapChannelOptions { Token = new("alice", "secret") });
        await using var wrong = new SoapChannel(_http, Secure, MailXml.Default, new SoapChannelOptions { Token = new("alice", "other"), Version = SoapVersion.Soap12 });
        await using var none = new SoapChannel(_http, Secure, MailXml.Default);

        Assert.Equal([1], new MailClient(known).Copy([1]));
        Assert.Equal(RpcStatus.Unauthenticated, Assert.ThrowsAny<RpcException>(() => new MailClient(wrong).Copy([1])).Status);
        Assert.Equal(RpcStatus.Unauthenticated, Assert.ThrowsAny<RpcException>(() => new MailClient(none).Copy([1])).Status);
    }

    [Fact]
    public void Password_does_not_leave_over_an_open_connection()
        => Assert.Throws<ArgumentException>(() => new SoapChannel(Address, MailXml.Default, new SoapChannelOptions { Token = new("alice", "secret") }));

    [Theory]
    [InlineData("<o:UsernameToken><o:Username>alice</o:Username><o:Password>secret</o:Password></o:UsernameToken>", 200, "CountResult")]
    [InlineData("<o:UsernameToken><o:Username>alice</o:Username></o:UsernameToken>", 500, "c:FailedAuthentication")]
    [InlineData("<o:UsernameToken/>", 500, "c:FailedAuthentication")]
    [InlineData("", 500, "c:FailedAuthentication")]
    [InlineData("<o:UsernameToken><o:Username>alice</o:Username><o:Password Type='x#PasswordDigest'>abc</o:Password></o:UsernameToken>", 500, "c:UnsupportedSecurityToken")]
    [InlineData("<o:BinarySecurityToken>abc</o:BinarySecurityToken>", 500, "c:UnsupportedSecurityToken")]
    [InlineData("<u:Timestamp><u:Expires>2001-01-01T00:00:00Z</u:Expires></u:Timestamp><o:UsernameToken><o:Username>alice</o:Username><o:Password>secret</o:Password></o:UsernameToken>", 500, "c:MessageExpired")]
    [InlineData("<u:Timestamp><u:Created>2999-01-01T00:00:00Z</u:Created></u:Timestamp><o:UsernameToken><o:Username>alice</o:Username><o:Password>secret</o:Password></o:UsernameToken>", 500, "c:InvalidSecurity")]
    [InlineData("<u:Timestamp><u:Created>now</u:Created></u:Timestamp>", 500, "c:InvalidSecurity")]
    public async Task Security_header_is_read_or_refused(string content, int status, string holds)
    {
        var header = $"<o:Security s:mustUnderstand=\"1\" xmlns:o=\"{Security}\" xmlns:u=\"{Utility}\">{content}</o:Security>";

        var (answered, text) = await PostAsync(Secure, Envelope(header, "<Count xmlns=\"urn:box\"/>"), "text/xml");

        Assert.True(status == answered, text);
        Assert.Contains(holds, text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Security_that_has_to_be_understood_is_refused_where_nobody_checks_it()
    {
        var (status, text) = await CallAsync("<Count xmlns=\"urn:box\"/>", $"<o:Security s:mustUnderstand=\"1\" xmlns:o=\"{Security}\"/>");

        Assert.Equal(500, status);
        Assert.Contains("s:MustUnderstand", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Password_over_an_open_connection_is_refused()
    {
        var open = new UriBuilder(Secure) { Scheme = "http", Port = Address.Port }.Uri;

        var (status, text) = await PostAsync(open, Envelope($"<o:Security xmlns:o=\"{Security}\"><o:UsernameToken><o:Username>alice</o:Username><o:Password>secret</o:Password></o:UsernameToken></o:Security>", "<Count xmlns=\"urn:box\"/>"), "text/xml");

        Assert.Equal(500, status);
        Assert.Contains("over TLS only", text, StringComparison.Ordinal);
    }

    private static ValueTask<ClaimsPrincipal?> AuthenticateAsync(UsernameToken token, CancellationToken ct)
        => new(token is { Username: "alice", Password: "secret" } ? new ClaimsPrincipal(new ClaimsIdentity("password")) : null);

    private static byte[] Envelope(string headers, string body)
        => Encoding.UTF8.GetBytes($"<s:Envelope xmlns:s=\"{Envelope11}\" xmlns:a=\"{Addressing}\"><s:Header>{headers}</s:Header><s:Body>{body}</s:Body></s:Envelope>");

    private static byte[] Packed(byte[] bytes)
    {
        using var output = new MemoryStream();
        using (var gzip = new GZipStream(output, CompressionLevel.Fastest))
            gzip.Write(bytes);
        return output.ToArray();
    }

    private static X509Certificate2 Certificate()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        return new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256).CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
    }

    private Task<(int Status, string Text)> CallAsync(string body, string headers = "") => PostAsync(Address, Envelope(headers, body), "text/xml");

    private async Task<(int Status, string Text)> PostAsync(Uri address, byte[] bytes, string type, params (string Name, string Value)[] headers)
    {
        using var content = new ByteArrayContent(bytes);
        content.Headers.ContentType = MediaTypeHeaderValue.Parse(type);
        foreach (var (name, value) in headers)
            content.Headers.TryAddWithoutValidation(name, value);
        using var response = await _http.PostAsync(address, content).WaitAsync(s_patience);
        return ((int)response.StatusCode, await response.Content.ReadAsStringAsync());
    }
}
