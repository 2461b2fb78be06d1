using System.Runtime.Serialization;
using System.Text;
using System.Xml.Linq;
using Postrider.UnitTests.Xml.Elsewhere;

namespace Postrider.UnitTests.Xml;

/// <summary>Beside the platform's serializer of data contracts: the same elements from both, and each reads the other's.</summary>
public sealed class DataContractTests
{
    private static readonly XNamespace Instance = "http://www.w3.org/2001/XMLSchema-instance";

    private static readonly Dictionary<string, Action> Checks = new()
    {
        ["everything"] = () => Check(Full()),
        ["nothing"] = () => Check(new Everything { Time = DateTime.MinValue, Uri = new Uri("relative/path?x=1&y=2", UriKind.Relative) }),
        ["extremes"] = () => Check(new Everything
        {
            SByte = sbyte.MinValue,
            Byte = byte.MaxValue,
            Int16 = short.MinValue,
            UInt16 = ushort.MaxValue,
            Int32 = int.MinValue,
            UInt32 = uint.MaxValue,
            Int64 = long.MinValue,
            UInt64 = ulong.MaxValue,
            Single = float.NegativeInfinity,
            Double = double.NaN,
            Decimal = decimal.MinValue,
            Char = '\uFFFF',
            Time = DateTime.SpecifyKind(DateTime.MaxValue, DateTimeKind.Utc),
            Span = TimeSpan.MinValue,
            Offset = DateTimeOffset.MaxValue,
            Bytes = [],
            Texts = [],
            Map = [],
        }),
        ["small numbers"] = () => Check(new Everything { Single = 1.17549435E-38f, Double = 5E-324, Decimal = 0.0000000000000000000000000001m, Span = TimeSpan.FromTicks(1), Time = new DateTime(2026, 1, 2, 3, 4, 5, 6, DateTimeKind.Local) }),
        ["plain"] = () => Check(new Plain { Number = -1, City = "", Zip = "<&>\"'\r\n\t ]]> ä € 🚀" }),
        ["abstract"] = () => Check<Shape>(new Circle { Name = "c", Radius = 1.5 }),
        ["derived elsewhere"] = () => Check<Shape>(new Square { Name = "s", Side = 2 }),
        ["list of derived"] = () => Check(new List<Shape> { new Circle(), new Square { Side = 1 }, null! }),
        ["generic of a class"] = () => Check(new Page<Plain> { Items = [new Plain { Number = 1 }], Total = 3 }),
        ["generic of a scalar"] = () => Check(new Page<int> { Items = [1, 2], Total = 2 }),
        ["collection of its own"] = () => Check(new Names { "a", null!, "b" }),
        ["renamed"] = () => Check(new Renamed { A = "a", B = "b", C = "c", Needed = 1 }),
        ["renamed, all"] = () => Check(new Renamed { Omitted = 7, Needed = 0 }),
        ["without namespace"] = () => Check(new Spaceless { Inner = new Plain { City = "x" }, Same = new Spaceless { Text = "t" }, Text = "u" }),
        ["hidden members"] = () => Check(Hidden.Of("f", "s")),
        ["of another namespace"] = () => Check(new Far { Near = new Plain { City = "y" }, Names = ["n"], Nesteds = [new Far.Nested { Back = new Far() }] }),
        ["recursive"] = () => Check(new Node { Value = 1, Next = new Node { Value = 2 } }),
        ["array"] = () => Check(new[] { 1, 2, 3 }),
        ["lists in a list"] = () => Check(new List<List<string>> { new() { "a" }, new(), null! }),
        ["nullables"] = () => Check(new List<int?> { 1, null }),
        ["map"] = () => Check(new Dictionary<string, int> { ["a"] = 1, [""] = 2 }),
        ["map of objects"] = () => Check(new Dictionary<Guid, Plain> { [Guid.NewGuid()] = new() { Number = 1 } }),
        ["sorted map"] = () => Check(new SortedDictionary<string, int> { ["b"] = 1, ["a"] = 2 }),
        ["sorted list"] = () => Check(new SortedList<int, string> { [2] = "b", [1] = "a" }),
        ["pair"] = () => Check(new KeyValuePair<int, string>(1, "a")),
        ["list of pairs"] = () => Check(new List<KeyValuePair<string, Plain>> { new("a", new Plain { Number = 1 }) }),
        ["collection whose items contain it"] = () => Check(new Branches { new Branch { Name = "a", Inner = [new Branch { Name = "b" }] } }),
        ["list whose items contain it"] = () => Check(new List<Twig> { new() { Twigs = [new()], ByName = new() { ["a"] = new() } } }),
        ["enumeration"] = () => Check(Colour.Navy),
        ["flags"] = () => Check(Rights.Read | Rights.Far),
        ["flags, none"] = () => Check(Rights.None),
        ["text"] = () => Check("text"),
        ["null"] = () => Check<string>(null!),
        ["integer"] = () => Check(42),
        ["guid"] = () => Check(Guid.NewGuid()),
        ["time"] = () => Check(new DateTime(2026, 11, 21, 1, 2, 3, DateTimeKind.Utc)),
        ["bytes"] = () => Check(new byte[] { 0, 1, 255 }),
    };

    public static TheoryData<string> Values => [.. Checks.Keys];

    [Theory]
    [MemberData(nameof(Values))]
    public void Value_has_the_elements_of_the_platforms_serializer_and_each_reads_the_others(string value) => Checks[value]();

    [Fact]
    public void Record_without_a_constructor_of_no_parameters_is_read()
    {
        var type = Contracts.Default.Get<Ranked>();

        Assert.Equal(new Ranked(1, "n") { Title = "t" }, type.Deserialize(type.Serialize(new Ranked(1, "n") { Title = "t" })));
    }

    [Fact]
    public void Elements_in_any_order_with_unknown_ones_among_them_are_read()
    {
        var read = Contracts.Default.Get<Plain>().Deserialize("""
            <?xml version="1.0" encoding="utf-8"?><!-- before -->
            <p:Plain xmlns:p="http://schemas.datacontract.org/2004/07/Postrider.UnitTests.Xml" xmlns:x="urn:x">
              <p:New attribute='&lt;'>text <x:a>mixed</x:a> with &amp; <![CDATA[<markup>]]> <!-- and more --></p:New>
              <p:Zip><![CDATA[a<b]]>&#x20AC;&#8364;<!-- in between --> end</p:Zip>
              <p:Number> +7 </p:Number><Number xmlns="urn:other">8</Number>
              <p:City/>
            </p:Plain>
            """u8);

        Assert.Equal((7, "", "a<b€€ end"), (read.Number, read.City, read.Zip));
    }

    [Fact]
    public void Methods_of_an_object_are_called_when_the_platforms_serializer_calls_them()
    {
        var (ours, theirs) = (new Watched { Name = "a" }, new Watched { Name = "a" });
        using var bytes = new MemoryStream();
        var serializer = new DataContractSerializer(typeof(Watched));

        serializer.WriteObject(bytes, theirs);
        var written = Contracts.Default.Get<Watched>().Serialize(ours);
        bytes.Position = 0;
        var readByThem = (Watched)serializer.ReadObject(bytes)!;
        var read = Contracts.Default.Get<Watched>().Deserialize(written)!;

        Assert.Equal(["base writing 'a'", "writing 'a'", "written 'a'"], theirs.Seen);
        Assert.Equal(theirs.Seen, ours.Seen);
        Assert.Equal(["reading ''", "base read 'a'", "read 'a'"], readByThem.Seen);
        Assert.Equal(readByThem.Seen, read.Seen);
    }

    [Fact]
    public void Methods_of_a_struct_and_of_a_record_are_called()
    {
        var point = Contracts.Default.Get<WatchedPoint>();
        var record = Contracts.Default.Get<WatchedRecord>();

        Assert.Equal(5, point.Deserialize(point.Serialize(new WatchedPoint { X = 4 })).X);
        Assert.Equal(14, record.Deserialize(record.Serialize(new WatchedRecord(7)))!.Doubled);
    }

    private static Everything Full() => new()
    {
        Bool = true,
        SByte = -1,
        Byte = 2,
        Int16 = -3,
        UInt16 = 4,
        Int32 = -5,
        UInt32 = 6,
        Int64 = -7,
        UInt64 = 8,
        Single = 1.5f,
        Double = 0.1,
        Decimal = 12.50m,
        Char = 'x',
        Text = "Grüße & <Küsse>",
        Guid = new Guid("00112233-4455-6677-8899-aabbccddeeff"),
        Time = new DateTime(2026, 1, 2, 3, 4, 5, 678, DateTimeKind.Utc),
        Offset = new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.FromHours(-5)),
        Span = new TimeSpan(1, 2, 3, 4, 5),
        Uri = new Uri("http://example.org/ä b?c=d&e"),
        Bytes = [1, 2, 3, 4],
        Maybe = 9,
        MaybeGuid = Guid.Empty,
        Colour = Colour.Navy,
        Rights = Rights.Both,
        MaybeColour = Colour.Green,
        Texts = ["a", null, ""],
        Colours = [Colour.Red, Colour.Green],
        Plains = new List<Plain?> { new() { City = "a" }, null },
        Map = new() { ["k"] = new() { Number = 1 } },
        Plain = new() { Zip = "z" },
    };

    private static void Check<T>(T value)
    {
        var type = Contracts.Default.Get<T>();
        var serializer = new DataContractSerializer(typeof(T));
        using var theirs = new MemoryStream();
        serializer.WriteObject(theirs, value);

        var ours = type.Serialize(value);

        var expected = Encoding.UTF8.GetString(theirs.ToArray());
        Assert.Equal(Normal(expected), Normal(Encoding.UTF8.GetString(ours)));
        Assert.Equal(Normal(expected), Normal(Encoding.UTF8.GetString(type.Serialize(type.Deserialize(theirs.ToArray())))));
        using var again = new MemoryStream();
        serializer.WriteObject(again, serializer.ReadObject(new MemoryStream(ours)));
        Assert.Equal(Normal(expected), Normal(Encoding.UTF8.GetString(again.ToArray())));
    }

    /// <summary>Elements with their names, types, nils and text: prefixes do not matter.</summary>
    private static string Normal(string xml)
    {
        var lines = new StringBuilder();
        Describe(XElement.Parse(xml, LoadOptions.PreserveWhitespace), lines, "");
        return lines.ToString();
    }

    private static void Describe(XElement element, StringBuilder lines, string indent)
    {
        var type = element.Attribute(Instance + "type")?.Value.Split(':');
        lines.Append(indent).Append(element.Name)
            .Append(type is null ? "" : $" type={(type.Length == 2 ? element.GetNamespaceOfPrefix(type[0]) : element.GetDefaultNamespace())}:{type[^1]}")
            .Append(element.Attribute(Instance + "nil")?.Value == "true" ? " nil" : "")
            .Append(element.HasElements ? "" : " = " + element.Value).Append('\n');
        foreach (var child in element.Elements())
            Describe(child, lines, indent + "  ");
    }
}
