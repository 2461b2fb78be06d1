using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Soap;

/// <summary>Clients of other makers call our service: what they print is the same.</summary>
public sealed class ForeignClientTests(StoreServer server) : IClassFixture<StoreServer>
{
    private const string Story = """
        add 42
        id 00112233-4455-6677-8899-aabbccddeeff
        name Grüße & <Küsse>
        price 12.5
        made 2026-01-02T03:04:05Z
        left null
        size very-large
        picture 000102ff
        parts a=1 b=9007199254740993
        fragile true
        weight 1.5
        reverse c,b,a
        bought 2
        fault Only 3 are left. / tea 3
        refused Nothing is taken back.
        failed The operation failed.
        tenant north
        """;

    [Theory]
    [InlineData("soap11")]
    [InlineData("soap12")]
    public async Task Npms_soap_calls_it_from_its_WSDL(string version)
        => Assert.Equal(Story, await ForeignProgram.RunAsync("node", Path.Combine(Tools.NodeStories, "soap-client.mjs"), server.Address, version));

    [Fact]
    public async Task Npms_strong_soap_calls_it_from_its_WSDL()
        => Assert.Equal(Story, await ForeignProgram.RunAsync("node", Path.Combine(Tools.NodeStories, "strong-soap-client.mjs"), server.Address));

    [Theory]
    [InlineData("soap11")]
    [InlineData("soap12")]
    public async Task Pythons_zeep_calls_it_from_its_WSDL(string version)
        => Assert.Equal(Story, await SidProgram.RunPythonAsync("soap-client.py", server.Address, version));

    [Theory]
    [InlineData("soap11")]
    [InlineData("soap12")]
    public async Task Phps_SoapClient_calls_it_from_its_WSDL(string version)
        => Assert.Equal(Story, await SidProgram.RunPhpAsync("soap-client.php", server.Address, version));

    [Theory]
    [InlineData("soap11")]
    [InlineData("soap12")]
    public async Task Perls_SOAP_Lite_calls_it_by_hand(string version)
        => Assert.Equal(Story, await SidProgram.RunPerlAsync("soap-client.pl", server.Address, version));

    [Theory]
    [InlineData("soap11")]
    [InlineData("soap12")]
    public async Task Gsoaps_client_calls_it_from_its_WSDL(string version)
        => Assert.Equal(Story, await GsoapProgram.RunAsync("call", server.Address, version));

    [Theory]
    [InlineData("soap11-addressed")]
    [InlineData("soap12-addressed")]
    public async Task Gsoaps_client_calls_it_with_addresses(string version)
        => Assert.Equal(Story, await GsoapProgram.RunAsync("call", server.Address, version));

    [Theory]
    [InlineData("soap11-mtom")]
    [InlineData("soap12-mtom")]
    public async Task Gsoaps_client_calls_it_with_attachments(string version)
        => Assert.Equal(Story.Replace("000102ff", "000102ff, attached", StringComparison.Ordinal), await GsoapProgram.RunAsync("call", server.Address, version));

    [Theory]
    [InlineData("soap11", "c:")]
    [InlineData("soap12", "")]
    public async Task Pythons_zeep_calls_it_with_addresses_and_with_a_password(string version, string prefix)
    {
        var story = await SidProgram.RunPythonAsync("soap-extensions.py", server.Address, server.SecureAddress, version);

        Assert.Equal($"""
            add 42
            relates True urn:postrider:store/Store/AddResponse
            fault Only 3 are left.
            over TLS 3 alice
            refused {prefix}FailedAuthentication / The username or password is invalid.
            refused {prefix}InvalidSecurity / The message has no Security header.
            """, story);
    }

    [Fact]
    public async Task One_way_calls_arrive()
    {
        await ForeignProgram.RunAsync("node", Path.Combine(Tools.NodeStories, "soap-client.mjs"), server.Address, "note");
        await SidProgram.RunPythonAsync("soap-client.py", server.Address, "note");
        await SidProgram.RunPhpAsync("soap-client.php", server.Address, "note");

        await GsoapProgram.RunAsync("note", server.Address);

        Assert.Equal(["from npm", "from Python", "from PHP", "from gSOAP"], [await NoteAsync(), await NoteAsync(), await NoteAsync(), await NoteAsync()]);
    }

    private Task<string> NoteAsync() => server.Store.Notes.Reader.ReadAsync().AsTask().WaitAsync(TimeSpan.FromSeconds(30));
}
