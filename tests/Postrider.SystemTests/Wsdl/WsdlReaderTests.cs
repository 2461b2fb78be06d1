using System.Text;
using Postrider.CommandLine.Wsdl;

namespace Postrider.SystemTests.Wsdl;

public sealed class WsdlReaderTests
{
    private const string Other = "<a/>";

    public static TheoryData<string, string, string> Unsupported => new()
    {
        { "style=\"document\"/>\n    <operation name=\"balance\">", "style=\"rpc\"/>\n    <operation name=\"balance\">", "uses the style rpc" },
        { "<s12:body use=\"literal\"/>", "<s12:body use=\"encoded\"/>", "is encoded" },
        { "type=\"xs:decimal\"/><xs:element name=\"to\"", "type=\"xs:QName\"/><xs:element name=\"to\"", "xs:QName cannot be expressed in a data contract" },
        { "type=\"xs:decimal\"/><xs:element name=\"to\"", "maxOccurs=\"unbounded\" type=\"xs:decimal\"/><xs:element name=\"to\"", "'amount' is repeated next to other elements" },
        { "type=\"xs:decimal\"/><xs:element name=\"to\"", "type=\"tns:nothing\"/><xs:element name=\"to\"", "has no type 'nothing'" },
        { "type=\"xs:decimal\"/><xs:element name=\"to\"", "/><xs:element name=\"to\"", "has no known type" },
        { "<xs:complexType name=\"transfer\"><xs:sequence>", "<xs:complexType name=\"transfer\"><xs:attribute name=\"x\"/><xs:sequence>", "attribute in the type 'transfer'" },
        { "<xs:element name=\"amount\"", "<xs:choice/><xs:element name=\"amount\"", "choice in the type 'transfer'" },
        { "elementFormDefault=\"qualified\"", "", "elementFormDefault is not qualified" },
        { "element=\"tns:TransferRequest\"", "type=\"tns:transfer\"", "refers to a type (style rpc)" },
        { "element=\"tns:TransferRequest\"", "element=\"tns:Nothing\"", "has no element 'Nothing'" },
        { "<input message=\"tns:transfer\"/>", "<input message=\"tns:nothing\"/>", "there is no message 'tns:nothing'" },
        { "name=\"TransferRequest\" type=\"tns:transfer\"", "name=\"TransferRequest\" type=\"xs:string\"", "is a message but not of a complex type" },
        { "<part name=\"body\" element=\"tns:TransferRequest\"/>", "<part name=\"a\" element=\"tns:balance\"/><part name=\"b\" element=\"tns:balance\"/>", "has several parts" },
        { "transport=\"http://schemas.xmlsoap.org/soap/http\"", "transport=\"http://schemas.xmlsoap.org/soap/smtp\"", "not HTTP" },
        { "type=\"tns:Bank\"", "type=\"tns:Nothing\"", "there is no portType 'tns:Nothing'" },
        { "<s12:binding transport=\"http://schemas.xmlsoap.org/soap/http\" style=\"document\"/>", "<h:binding verb=\"GET\" xmlns:h=\"http://schemas.xmlsoap.org/wsdl/http/\"/>", "not for SOAP 1.1 or 1.2" },
    };

    [Theory]
    [MemberData(nameof(Unsupported))]
    public async Task What_has_no_place_in_a_contract_is_named_with_its_line(string what, string by, string problem)
    {
        var changed = Descriptions.Java.Replace("\r", "", StringComparison.Ordinal).Replace(what, by, StringComparison.Ordinal);
        Assert.NotEqual(Descriptions.Java, changed);

        var refused = await Assert.ThrowsAsync<WsdlException>(() => WriteAsync(("bank.wsdl", changed)));

        Assert.Contains(refused.Problems, p => p.Contains(problem, StringComparison.Ordinal));
        Assert.All(refused.Problems, p => Assert.Matches(@"^bank\.wsdl\(\d+\): ", p));
    }

    [Theory]
    [InlineData("", "a.wsdl(1): Root element is missing")]
    [InlineData("{}", "a.wsdl(1): Data at the root level is invalid")]
    [InlineData("<a>\n<b>\n</a>", "a.wsdl(3): ")]
    [InlineData("<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>\n<a>&b;</a>", "a.wsdl(1): For security reasons DTD is prohibited")]
    [InlineData(Other, "a.wsdl(1): the root is 'a' of the namespace '', neither WSDL 1.1 definitions nor a schema")]
    [InlineData("<description xmlns='http://www.w3.org/ns/wsdl'/>", "neither WSDL 1.1 definitions nor a schema")]
    [InlineData("<definitions xmlns='http://schemas.xmlsoap.org/wsdl/'/>", "a.wsdl(1): it has no binding")]
    [InlineData("<definitions xmlns='http://schemas.xmlsoap.org/wsdl/'>\n<import location='gone.wsdl'/></definitions>", "a.wsdl(2): memory://x/gone.wsdl cannot be read")]
    [InlineData("<definitions xmlns='http://schemas.xmlsoap.org/wsdl/'><import location='javascript:1'/></definitions>", "is not an address that can be imported")]
    [InlineData("<definitions xmlns='http://schemas.xmlsoap.org/wsdl/'><import location='file:///etc/passwd'/></definitions>", "is not an address that can be imported")]
    public async Task What_cannot_be_read_is_said_with_its_place(string description, string problem)
    {
        var refused = await Assert.ThrowsAsync<WsdlException>(() => WriteAsync(("a.wsdl", description)));

        Assert.Contains(problem.Replace("memory:", "http:", StringComparison.Ordinal), refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task All_that_is_wrong_is_named_at_once()
    {
        var changed = Descriptions.Java
            .Replace("type=\"xs:decimal\"/><xs:element name=\"to\"", "type=\"xs:QName\"/><xs:element name=\"to\"", StringComparison.Ordinal)
            .Replace("<xs:complexType name=\"transfer\"><xs:sequence>", "<xs:complexType name=\"transfer\"><xs:attribute name=\"x\"/><xs:sequence>", StringComparison.Ordinal)
            .Replace("<s12:body use=\"literal\"/>", "<s12:body use=\"encoded\"/>", StringComparison.Ordinal);

        var refused = await Assert.ThrowsAsync<WsdlException>(() => WriteAsync(("bank.wsdl", changed)));

        Assert.All((string[])["xs:QName cannot be expressed in a data contract", "attribute in the type 'transfer'", "is encoded"], part => Assert.Contains(refused.Problems, p => p.Contains(part, StringComparison.Ordinal)));
    }

    [Fact]
    public async Task All_imports_that_cannot_be_read_are_named_at_once()
    {
        var refused = await Assert.ThrowsAsync<WsdlException>(() => WriteAsync(
            ("a.wsdl", "<definitions xmlns='http://schemas.xmlsoap.org/wsdl/'>\n<import location='gone.wsdl'/>\n<import location='b.wsdl'/>\n<import location='javascript:1'/></definitions>"), ("b.wsdl", "{}")));

        Assert.Equal(["a.wsdl(2)", "b.wsdl(1)", "a.wsdl(4)"], refused.Problems.Select(p => p[..p.IndexOf(':', StringComparison.Ordinal)]));
    }

    [Fact]
    public async Task Attributes_of_any_name_are_passed_over()
        => Assert.Equal(
            Written("BankContract.cs"),
            await WriteAsync("Postrider.SystemTests.Wsdl.Bank", ("bank.wsdl", Descriptions.Java.Replace("</xs:sequence></xs:complexType>", "</xs:sequence><xs:anyAttribute processContents=\"lax\"/></xs:complexType>", StringComparison.Ordinal))));

    [Fact]
    public async Task Documents_that_import_each_other_are_read_once()
    {
        var text = await WriteAsync(
            ("a.wsdl", Descriptions.Wcf.Replace("<wsdl:types>", "<wsdl:import namespace=\"x\" location=\"a.wsdl\"/><wsdl:types>", StringComparison.Ordinal)),
            ("desk.xsd", Descriptions.WcfMessages.Replace("<xs:import namespace=\"urn:data\"/>", "<xs:import namespace=\"urn:data\" schemaLocation=\"data.xsd\"/>", StringComparison.Ordinal)),
            ("data.xsd", Descriptions.WcfData));

        Assert.Equal(2, text.Split("interface IDesk").Length);
    }

    [Fact]
    public async Task Contract_of_WCFs_shape_is_the_one_that_is_compiled_here()
        => Assert.Equal(Written("DeskContract.cs"), await WriteAsync("Postrider.SystemTests.Wsdl.Desk", ("desk.wsdl", Descriptions.Wcf), ("desk.xsd", Descriptions.WcfMessages), ("data.xsd", Descriptions.WcfData)));

    [Fact]
    public async Task Contract_of_Javas_shape_is_the_one_that_is_compiled_here()
        => Assert.Equal(Written("BankContract.cs"), await WriteAsync("Postrider.SystemTests.Wsdl.Bank", ("bank.wsdl", Descriptions.Java)));

    private static string Written(string name) => File.ReadAllText(Checkout.PathOf("tests", "Postrider.SystemTests", "Wsdl", "Written", name));

    private static Task<string> WriteAsync(params (string Name, string Text)[] files) => WriteAsync(null, files);

    private static async Task<string> WriteAsync(string? space, params (string Name, string Text)[] files)
    {
        var root = new Uri("http://x/");
        var documents = await WsdlDocuments.ReadAsync(new Uri(root, files[0].Name), OpenAsync, TestContext.Current.CancellationToken);
        return WsdlReader.Write(documents, space);

        Task<Stream> OpenAsync(Uri address, CancellationToken ct)
            => Array.Find(files, f => new Uri(root, f.Name) == address) is { Text: not null } found
                ? Task.FromResult<Stream>(new MemoryStream(Encoding.UTF8.GetBytes(found.Text)))
                : throw new FileNotFoundException("there is no such file");
    }
}
