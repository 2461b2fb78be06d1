using System.Text;
using Postrider.Xml;
using Postrider.Xml.Elements;

namespace Postrider.UnitTests.Xml;

/// <summary>What is refused, and as what.</summary>
public sealed class BadInputTests
{
    private const string Space = "http://schemas.datacontract.org/2004/07/Postrider.UnitTests.Xml";
    private const string Plain = $"<Plain xmlns=\"{Space}\" xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\">";
    private const string Good = $"<?xml version=\"1.0\" encoding=\"utf-8\"?>{Plain}<City>a&amp;b</City><!-- c --><Number>1</Number><Zip i:nil=\"true\"/><x y='1'><![CDATA[z]]></x></Plain>\n<!-- d -->";

    public static TheoryData<XmlError, string> Bad => new()
    {
        // Documents.
        { XmlError.EndOfInput, "" },
        { XmlError.EndOfInput, " \n" },
        { XmlError.EndOfInput, "<!-- only -->" },
        { XmlError.UnexpectedElement, "text" },
        { XmlError.UnexpectedElement, "{\"json\":1}" },
        { XmlError.UnexpectedElement, "\uFEFF\uFEFF" + Good },
        { XmlError.UnexpectedElement, "<Order/>" },
        { XmlError.UnexpectedElement, "<Plain/>" },
        { XmlError.UnexpectedElement, "<Plain xmlns='urn:other'/>" },
        { XmlError.TrailingData, Plain + "</Plain><Plain/>" },
        { XmlError.UnexpectedElement, Plain + "</Plain>x" },
        { XmlError.NotWellFormed, "</Plain>" },
        { XmlError.InvalidText, "<?xml version='1.0' encoding='utf-16'?>" + Plain + "</Plain>" },
        { XmlError.InvalidText, "<?xml version='1.0' encoding='iso-8859-1'?>" + Plain + "</Plain>" },
        { XmlError.NotWellFormed, "<?xml version='1.0' encoding=utf-8?>" + Plain + "</Plain>" },
        { XmlError.EndOfInput, "<?xml version='1.0'" },
        { XmlError.EndOfInput, "<!-- never ends" },
        { XmlError.NotWellFormed, "<!-- a -- b -->" + Plain + "</Plain>" },

        // Document types and entities.
        { XmlError.DtdRefused, "<!DOCTYPE Plain>" + Plain + "</Plain>" },
        { XmlError.DtdRefused, "<!DOCTYPE Plain [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>" + Plain + "<City>&b;</City></Plain>" },
        { XmlError.DtdRefused, "<!DOCTYPE Plain SYSTEM \"file:///etc/passwd\">" + Plain + "</Plain>" },
        { XmlError.DtdRefused, "<!DOCTYPE Plain [<!ENTITY % x SYSTEM \"http://127.0.0.1/x.dtd\"> %x;]>" + Plain + "</Plain>" },
        { XmlError.DtdRefused, Plain + "<!DOCTYPE x></Plain>" },
        { XmlError.DtdRefused, Plain + "<City>&b;</City></Plain>" },
        { XmlError.DtdRefused, Plain + "<City>&nbsp;</City></Plain>" },
        { XmlError.DtdRefused, Plain + "<City>&</City></Plain>" },
        { XmlError.DtdRefused, Plain + "<City>&;</City></Plain>" },
        { XmlError.DtdRefused, Plain + "<City>&#;</City></Plain>" },
        { XmlError.DtdRefused, Plain + "<City>&#x;</City></Plain>" },
        { XmlError.DtdRefused, Plain + "<City>&#0;</City></Plain>" },
        { XmlError.DtdRefused, Plain + "<City>&#x1;</City></Plain>" },
        { XmlError.DtdRefused, Plain + "<City>&#xD800;</City></Plain>" },
        { XmlError.DtdRefused, Plain + "<City>&#xFFFF;</City></Plain>" },
        { XmlError.DtdRefused, Plain + "<City>&#x110000;</City></Plain>" },
        { XmlError.DtdRefused, Plain + "<City>&#99999999999;</City></Plain>" },
        { XmlError.DtdRefused, Plain + "<City>&#-65;</City></Plain>" },
        { XmlError.DtdRefused, Plain + "<City>&amp</City></Plain>" },
        { XmlError.DtdRefused, Plain + "<Unknown>&b;</Unknown></Plain>" },
        { XmlError.DtdRefused, Plain + "<Unknown a='&b;'/></Plain>" },
        { XmlError.DtdRefused, $"<Plain xmlns=\"{Space}&b;\"/>" },

        // Tags.
        { XmlError.NotWellFormed, Plain + "</plain>" },
        { XmlError.NotWellFormed, Plain + "<City></Zip></Plain>" },
        { XmlError.NotWellFormed, Plain + "<City>a</City x></Plain>" },
        { XmlError.NotWellFormed, Plain + "<a:City/></Plain>" },
        { XmlError.NotWellFormed, Plain + "<City a:b='1'/></Plain>" },
        { XmlError.NotWellFormed, Plain + "<City a='1' a='2'/></Plain>" },
        { XmlError.NotWellFormed, Plain + "<City a='1'b='2'/></Plain>" },
        { XmlError.NotWellFormed, Plain + "<City a=1/></Plain>" },
        { XmlError.NotWellFormed, Plain + "<City a/></Plain>" },
        { XmlError.NotWellFormed, Plain + "<City a='<'/></Plain>" },
        { XmlError.NotWellFormed, Plain + "<City / ></Plain>" },
        { XmlError.NotWellFormed, Plain + "< City/></Plain>" },
        { XmlError.NotWellFormed, Plain + "<1City/></Plain>" },
        { XmlError.NotWellFormed, Plain + "<-City/></Plain>" },
        { XmlError.NotWellFormed, Plain + "<:City/></Plain>" },
        { XmlError.NotWellFormed, Plain + "<i:/></Plain>" },
        { XmlError.NotWellFormed, Plain + "<i:i:City/></Plain>" },
        { XmlError.NotWellFormed, Plain + "<City xmlns:i=''/></Plain>" },
        { XmlError.NotWellFormed, Plain + "<City xmlns:a='u' xmlns:a='v'/></Plain>" },
        { XmlError.NotWellFormed, Plain + "<City xmlns:xmlns='u'/></Plain>" },
        { XmlError.NotWellFormed, Plain + "<City xmlns:xml='u'/></Plain>" },
        { XmlError.NotWellFormed, Plain + "<?php echo 1 ?></Plain>" },
        { XmlError.NotWellFormed, Plain + "<!ELEMENT x></Plain>" },
        { XmlError.NotWellFormed, Plain + "<City>a]]>b</City></Plain>" },
        { XmlError.EndOfInput, Plain },
        { XmlError.EndOfInput, Plain + "<City>" },
        { XmlError.EndOfInput, Plain + "<City a='" },
        { XmlError.EndOfInput, Plain + "<City/" },
        { XmlError.EndOfInput, Plain + "<City><![CDATA[a" },
        { XmlError.EndOfInput, Plain + "<City>a</City" },

        // Text.
        { XmlError.InvalidText, Plain + "<City>\u0001</City></Plain>" },
        { XmlError.InvalidText, Plain + "<City>\0</City></Plain>" },
        { XmlError.InvalidText, "\0" },
        { XmlError.UnexpectedElement, Plain + "text</Plain>" },
        { XmlError.UnexpectedElement, Plain + "<![CDATA[text]]></Plain>" },
        { XmlError.UnexpectedElement, Plain + "<City>a<b/></City></Plain>" },
        { XmlError.UnexpectedElement, Plain + "<Number><b/></Number></Plain>" },

        // Values.
        { XmlError.DuplicateElement, Plain + "<City>a</City><City>b</City></Plain>" },
        { XmlError.DuplicateElement, Plain + "<Number>1</Number><City/><Number>1</Number></Plain>" },
        { XmlError.InvalidValue, Plain + "<Number></Number></Plain>" },
        { XmlError.InvalidValue, Plain + "<Number>one</Number></Plain>" },
        { XmlError.InvalidValue, Plain + "<Number>1.0</Number></Plain>" },
        { XmlError.InvalidValue, Plain + "<Number>1,000</Number></Plain>" },
        { XmlError.InvalidValue, Plain + "<Number>0x10</Number></Plain>" },
        { XmlError.InvalidValue, Plain + "<Number>2147483648</Number></Plain>" },
        { XmlError.InvalidValue, Plain + "<Number>1 2</Number></Plain>" },
        { XmlError.InvalidValue, Plain + "<Number i:nil='true'/></Plain>" },
    };

    public static TheoryData<Type, string> WrongValues => new()
    {
        { typeof(bool), "yes" }, { typeof(bool), "True" }, { typeof(bool), "" },
        { typeof(byte), "-1" }, { typeof(byte), "256" }, { typeof(sbyte), "128" }, { typeof(ulong), "18446744073709551616" },
        { typeof(decimal), "1e5" }, { typeof(decimal), "79228162514264337593543950336" }, { typeof(decimal), "" }, { typeof(decimal), "INF" },
        { typeof(double), "Infinity" }, { typeof(double), "nan" }, { typeof(double), "1e" }, { typeof(double), "" }, { typeof(float), "∞" },
        { typeof(Guid), "1" }, { typeof(Guid), "{00112233-4455-6677-8899-aabbccddeeff}" }, { typeof(Guid), "00112233-4455-6677-8899-aabbccddeeff0" },
        { typeof(DateTime), "2026-13-01T00:00:00" }, { typeof(DateTime), "yesterday" }, { typeof(DateTime), "" }, { typeof(DateTime), "2026-01-01T25:00:00Z" },
        { typeof(DateOnly), "01.02.2026" }, { typeof(TimeOnly), "24:00:01" }, { typeof(TimeSpan), "1:00" }, { typeof(TimeSpan), "P99999999999999999D" },
        { typeof(byte[]), "a" }, { typeof(byte[]), "ab*=" }, { typeof(char), "x" }, { typeof(char), "65536" },
    };

    [Theory]
    [MemberData(nameof(Bad))]
    public void Document_is_refused(XmlError error, string document)
    {
        var thrown = Assert.Throws<XmlDataException>(() => Contracts.Default.Get<Plain>().Deserialize(Encoding.UTF8.GetBytes(document)));

        Assert.Equal((error, false), (thrown.Error, string.IsNullOrWhiteSpace(thrown.Message)));
    }

    [Theory]
    [MemberData(nameof(WrongValues))]
    public void Text_that_is_no_value_of_the_type_is_refused(Type type, string text)
        => Assert.Equal(XmlError.InvalidValue, Assert.Throws<XmlDataException>(() => Read(type, text)).Error);

    [Fact]
    public void Document_cut_anywhere_is_refused()
    {
        var whole = Encoding.UTF8.GetBytes(Good.TrimEnd()[..Good.IndexOf("\n<!-- d", StringComparison.Ordinal)]);
        Assert.Equal("a&b", Contracts.Default.Get<Plain>().Deserialize(whole).City);

        for (var i = 0; i < whole.Length; i++)
            Assert.Throws<XmlDataException>(() => Contracts.Default.Get<Plain>().Deserialize(whole.AsSpan(0, i)));
    }

    [Theory]
    [InlineData(new byte[] { 0xC3, 0x28 })]
    [InlineData(new byte[] { 0xED, 0xA0, 0x80 })]
    [InlineData(new byte[] { 0xF5, 0x80, 0x80, 0x80 })]
    [InlineData(new byte[] { 0xC0, 0x80 })]
    [InlineData(new byte[] { 0xE2, 0x82 })]
    public void Bytes_that_are_no_UTF8_are_refused(byte[] bytes)
    {
        byte[] document = [.. Encoding.UTF8.GetBytes(Plain + "<City>"), .. bytes, .. "</City></Plain>"u8];

        Assert.Equal(XmlError.InvalidText, Assert.Throws<XmlDataException>(() => Contracts.Default.Get<Plain>().Deserialize(document)).Error);
    }

    [Fact]
    public void Depth_is_bounded_where_types_are_recursive_and_where_elements_are_unknown()
    {
        var nodes = $"<Node xmlns='{Space}'>" + string.Concat(Enumerable.Repeat("<Next>", 100_000));
        var unknown = Plain + string.Concat(Enumerable.Repeat("<x>", 100_000));

        Assert.Equal(XmlError.TooDeep, Assert.Throws<XmlDataException>(() => Contracts.Default.Get<Node>().Deserialize(Encoding.UTF8.GetBytes(nodes))).Error);
        Assert.Equal(XmlError.TooDeep, Assert.Throws<XmlDataException>(() => Contracts.Default.Get<Plain>().Deserialize(Encoding.UTF8.GetBytes(unknown))).Error);
        Assert.Equal(XmlError.TooDeep, Assert.Throws<XmlDataException>(() => Contracts.Default.Get<Plain>().Deserialize(Encoding.UTF8.GetBytes(Good), new XmlLimits { MaxDepth = 1 })).Error);
    }

    [Fact]
    public void Attributes_and_namespaces_are_bounded()
    {
        var attributes = Plain + "<x" + string.Concat(Enumerable.Range(0, 1000).Select(i => $" a{i}=''")) + "/></Plain>";
        var namespaces = Plain + "<x" + string.Concat(Enumerable.Range(0, 1000).Select(i => $" xmlns:a{i}='u'")) + "/></Plain>";

        Assert.Equal(XmlError.TooMany, Assert.Throws<XmlDataException>(() => Contracts.Default.Get<Plain>().Deserialize(Encoding.UTF8.GetBytes(attributes))).Error);
        Assert.Equal(XmlError.TooMany, Assert.Throws<XmlDataException>(() => Contracts.Default.Get<Plain>().Deserialize(Encoding.UTF8.GetBytes(namespaces))).Error);
    }

    [Theory]
    [InlineData("<Shape xmlns='urn:shapes'/>")]
    [InlineData("<Shape xmlns='urn:shapes' xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:type='Triangle'/>")]
    [InlineData("<Shape xmlns='urn:shapes' xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:type='System.Diagnostics.Process'/>")]
    [InlineData("<Shape xmlns='urn:shapes' xmlns:i='http://www.w3.org/2001/XMLSchema-instance' xmlns:q='urn:squares' i:type='q:Circle'/>")]
    public void Type_that_the_contract_does_not_list_is_refused(string document)
        => Assert.Equal(XmlError.UnknownType, Assert.Throws<XmlDataException>(() => Contracts.Default.Get<Shape>().Deserialize(Encoding.UTF8.GetBytes(document))).Error);

    [Fact]
    public void Member_that_is_required_and_not_there_is_named()
    {
        var thrown = Assert.Throws<XmlDataException>(() => Contracts.Default.Get<Renamed>().Deserialize("<renamed xmlns='urn:some?a=1&amp;b=2'><C>c</C></renamed>"u8));

        Assert.Equal(XmlError.MissingElement, thrown.Error);
        Assert.Contains("Needed", thrown.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void What_cannot_be_written_is_refused()
    {
        var cycle = new Node();
        cycle.Next = cycle;

        Assert.Equal(XmlError.TooDeep, Assert.Throws<XmlDataException>(() => Contracts.Default.Get<Node>().Serialize(cycle)).Error);
        Assert.Equal(XmlError.InvalidText, Assert.Throws<XmlDataException>(() => Contracts.Default.Get<Plain>().Serialize(new Plain { City = "a\u0001" })).Error);
        Assert.Equal(XmlError.InvalidText, Assert.Throws<XmlDataException>(() => Contracts.Default.Get<Plain>().Serialize(new Plain { City = "\uD83D" })).Error);
        Assert.Equal(XmlError.InvalidValue, Assert.Throws<XmlDataException>(() => Contracts.Default.Get<Colour>().Serialize((Colour)99)).Error);
        Assert.Equal(XmlError.UnknownType, Assert.Throws<XmlDataException>(() => Contracts.Default.Get<Shape>().Serialize(new Oval())).Error);
        Assert.Equal(XmlError.NoFormatter, Assert.Throws<XmlDataException>(() => Contracts.Default.Get<Version>()).Error);
    }

    private static object? Read(Type type, string text) => type.Name switch
    {
        nameof(Boolean) => Of<bool>("boolean", text),
        nameof(Byte) => Of<byte>("unsignedByte", text),
        nameof(SByte) => Of<sbyte>("byte", text),
        nameof(UInt64) => Of<ulong>("unsignedLong", text),
        nameof(Decimal) => Of<decimal>("decimal", text),
        nameof(Double) => Of<double>("double", text),
        nameof(Single) => Of<float>("float", text),
        nameof(Guid) => Of<Guid>("guid", text),
        nameof(DateTime) => Of<DateTime>("dateTime", text),
        nameof(DateOnly) => Of<DateOnly>("date", text),
        nameof(TimeOnly) => Of<TimeOnly>("time", text),
        nameof(TimeSpan) => Of<TimeSpan>("duration", text),
        nameof(Char) => Of<char>("char", text),
        _ => Of<byte[]>("base64Binary", text),
    };

    private static object? Of<T>(string name, string text)
        => Contracts.Default.Get<T>().Deserialize(Encoding.UTF8.GetBytes($"<{name} xmlns='http://schemas.microsoft.com/2003/10/Serialization/'>{text}</{name}>"));

    private sealed class Oval : Shape;
}
