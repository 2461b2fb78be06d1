using System.Buffers;
using System.Text;
using System.Xml.Serialization;
using Newtonsoft.Json;
using Newtonsoft.Json.Converters;
using Postrider.Rpc;
using Postrider.Rpc.Newtonsoft;
using Postrider.Rpc.Soap;

namespace Postrider.UnitTests.Rpc.Codecs;

/// <summary>The codecs that find members by reflection: what others wrote they read, and what is no message they refuse.</summary>
public sealed class ReflectingCodecTests
{
    private static readonly RpcNewtonsoftCodec s_newtonsoft = new();
    private static readonly RpcXmlSerializerCodec s_xml = new();

    public static TheoryData<string> BadJson =>
    [
        "", " ", "{", "{}x", "[]", "1", "\"a\"", "{\"name\":", "{\"name\":\"a\"", "{\"name\":\"a\"}{}", "{\"name\":\"a\",\"next\":[]}", "{\"name\":\"a\",\"next\":{}",
        "{\"count\":99999999999}", "{\"count\":1.5}", "{\"count\":\"many\"}", "{\"count\":null}", "{\"count\":{}}", "{\"id\":\"4a6c\"}", "{\"at\":\"yesterday\"}",
        "{\"bytes\":\"a*b=\"}", "{\"tags\":\"a\"}", "{\"tags\":{\"a\":1}}", "{\"name\":\"\\x41\"}", "{\"name\":\"\\u00", "{\"name\" \"a\"}", "<a/>",
    ];

    public static TheoryData<string> BadXml =>
    [
        "", " ", "a", "{}", "<Node", "<Node>", "<Node></Other>", "<Other/>", "<Node/><Node/>", "<Node/>x", "<Node xmlns=\"urn:other\"/>",
        "<!DOCTYPE Node [<!ENTITY a \"b\">]><Node><Name>&a;</Name></Node>", "<!DOCTYPE Node SYSTEM \"file:///etc/passwd\"><Node/>", "<Node><Name>&lol;</Name></Node>",
        "<Node><Count>99999999999</Count></Node>", "<Node><Count>1.5</Count></Node>", "<Node><Count>many</Count></Node>", "<Node><Count/></Node>",
        "<Node><Id>4a6c</Id></Node>", "<Node><At>yesterday</At></Node>", "<Node><Bytes>a*b=</Bytes></Node>", "<Node a='1' a='2'/>", "<Node><x:Name/></Node>",
        "<Node xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:type=\"Process\"/>", "<Node><Name>a\u0001</Name></Node>", "<?xml version=\"1.0\" encoding=\"utf-7\"?><Node/>",
    ];

    [Theory]
    [MemberData(nameof(BadJson))]
    public void Newtonsoft_refuses_what_is_no_message(string json)
        => Assert.Equal(RpcStatus.InvalidData, Assert.Throws<RpcException>(() => Read(s_newtonsoft.GetFormatter<Node>(), json)).Status);

    [Theory]
    [MemberData(nameof(BadXml))]
    public void XmlSerializer_refuses_what_is_no_message(string xml)
        => Assert.Equal(RpcStatus.InvalidData, Assert.Throws<RpcException>(() => Read(s_xml.GetFormatter<Node>(), xml)).Status);

    [Fact]
    public void Depth_is_bounded()
    {
        Assert.Equal(RpcStatus.InvalidData, Assert.Throws<RpcException>(() => Read(s_newtonsoft.GetFormatter<Node>(), Nested(100_000, "{\"next\":", "}"))).Status);
        Assert.Equal(RpcStatus.InvalidData, Assert.Throws<RpcException>(() => Read(s_newtonsoft.GetFormatter<Node>(), "{\"other\":" + Nested(100_000, "[", "]") + "}")).Status);
        Assert.Equal(RpcStatus.InvalidData, Assert.Throws<RpcException>(() => Read(s_xml.GetFormatter<Node>(), "<Node>" + Nested(100_000, "<Next>", "</Next>") + "</Node>")).Status);
        Assert.Equal(RpcStatus.InvalidData, Assert.Throws<RpcException>(() => Read(s_xml.GetFormatter<Node>(), "<Node>" + Nested(100_000, "<Other>", "</Other>") + "</Node>")).Status);
        Assert.NotNull(Read(s_xml.GetFormatter<Node>(), "<Node>" + Nested(50, "<Next>", "</Next>") + "</Node>").Next);
        Assert.NotNull(Read(s_newtonsoft.GetFormatter<Node>(), Nested(50, "{\"next\":", "}").Replace(":}", ":null}", StringComparison.Ordinal)).Next);
    }

    [Fact]
    public void Depth_of_newtonsoft_is_bounded_when_the_settings_say_nothing_of_it()
    {
        var codec = new RpcNewtonsoftCodec(new JsonSerializerSettings { MaxDepth = null });

        Assert.Throws<RpcException>(() => Read(codec.GetFormatter<Node>(), Nested(100_000, "{\"Next\":", "}")));
    }

    [Fact]
    public void Parameter_that_is_there_twice_is_refused()
    {
        var json = s_newtonsoft.Combine("a", s_newtonsoft.GetFormatter<int>(), s_newtonsoft.Combine("b", s_newtonsoft.GetFormatter<Node>(), s_newtonsoft.GetFormatter<Unit>()));
        var xml = s_xml.Combine("a", s_xml.GetFormatter<int>(), s_xml.Combine("b", s_xml.GetFormatter<Node>(), s_xml.GetFormatter<Unit>()));

        Assert.Contains("'a' occurs twice", Assert.Throws<RpcException>(() => Read(json, "{\"a\":1,\"A\":2}")).Message, StringComparison.Ordinal);
        Assert.Contains("'b' occurs twice", Assert.Throws<RpcException>(() => Read(xml, "<parameters><b/><a>1</a><b/></parameters>")).Message, StringComparison.Ordinal);
        Assert.Throws<RpcException>(() => Read(json, "{\"b\":{}"));
    }

    [Fact]
    public void Parameters_are_found_by_name_in_any_order_and_others_passed_over()
    {
        var json = s_newtonsoft.Combine("a", s_newtonsoft.GetFormatter<int>(), s_newtonsoft.Combine("b", s_newtonsoft.GetFormatter<string>(), s_newtonsoft.GetFormatter<Unit>()));
        var xml = s_xml.Combine("a", s_xml.GetFormatter<int>(), s_xml.Combine("b", s_xml.GetFormatter<string>(), s_xml.GetFormatter<Unit>()));

        var fromJson = Read(json, "{\"other\":{\"a\":[1]},\"b\":\"x\",\"A\":2}");
        var fromXml = Read(xml, "<parameters><other><a>9</a></other><b>x</b><a>2</a></parameters>");

        Assert.Equal(((2, "x"), (2, "x")), ((fromJson.First, fromJson.Rest.First), (fromXml.First, fromXml.Rest.First)));
        Assert.Equal((0, null), (Read(xml, "<parameters/>").First, Read(json, "{}").Rest.First));
    }

    [Fact]
    public void Names_of_types_are_not_honoured_from_the_wire()
    {
        var codec = new RpcNewtonsoftCodec(new JsonSerializerSettings { TypeNameHandling = TypeNameHandling.All, PreserveReferencesHandling = PreserveReferencesHandling.All });
        var name = $"{typeof(Trap).FullName}, {typeof(Trap).Assembly.GetName().Name}";

        var read = Read(codec.GetFormatter<Holder>(), $$$"""{"Anything":{"$type":"{{{name}}}","Text":"x"},"Named":{"$type":"{{{name}}}"},"Again":{"$ref":"1"}}""");

        Assert.IsNotType<Trap>(read.Anything);
        Assert.IsNotType<Trap>(read.Named);
        Assert.Equal(0, Trap.Made);
    }

    [Fact]
    public void Attributes_and_converters_of_newtonsoft_are_used()
    {
        var codec = new RpcNewtonsoftCodec(new JsonSerializerSettings { Converters = [new StringEnumConverter()], Formatting = Formatting.Indented });

        var bytes = Bytes(codec.GetFormatter<Renamed>(), new Renamed { Value = 5, Day = DayOfWeek.Friday });

        Assert.Equal("""{"the value":5,"Day":"Friday"}""", Encoding.UTF8.GetString(bytes));
        Assert.Equal((5, DayOfWeek.Friday), (Read(codec.GetFormatter<Renamed>(), Encoding.UTF8.GetString(bytes)).Value, Read(codec.GetFormatter<Renamed>(), Encoding.UTF8.GetString(bytes)).Day));
    }

    [Fact]
    public void Attributes_of_xml_serializer_are_used()
    {
        var bytes = Bytes(s_xml.GetFormatter<Marked>(), new Marked { Number = 7, Shapes = [new Circle { Radius = 2 }] });

        var text = Encoding.UTF8.GetString(bytes);
        Assert.Contains("<marked", text, StringComparison.Ordinal);
        Assert.Contains(" no=\"7\"", text, StringComparison.Ordinal);
        var read = Read(s_xml.GetFormatter<Marked>(), text);
        Assert.Equal((7, 2), (read.Number, Assert.IsType<Circle>(Assert.Single(read.Shapes)).Radius));
    }

    [Fact]
    public void Type_that_xml_serializer_does_not_take_is_named()
    {
        var failure = Assert.Throws<RpcException>(() => s_xml.GetFormatter<Dictionary<string, int>>());

        Assert.Equal(RpcStatus.Unsupported, failure.Status);
        Assert.Contains("Dictionary", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Mutated_messages_are_read_or_invalid()
    {
        var seed = Seed.Next();
        TestContext.Current.TestOutputHelper?.WriteLine($"seed {seed}");
        var random = new Random(seed);
        var node = new Node { Name = "größe", Count = 3, Id = Guid.NewGuid(), At = DateTime.UnixEpoch, Bytes = [1, 2, 3], Tags = ["a", "b"], Next = new() { Name = "next" } };
        var (json, xml) = (Bytes(s_newtonsoft.GetFormatter<Node>(), node), Bytes(s_xml.GetFormatter<Node>(), node));

        for (var i = 0; i < 10_000; i++)
        {
            Quietly(s_newtonsoft.GetFormatter<Node>(), Mutated(random, json));
            Quietly(s_xml.GetFormatter<Node>(), Mutated(random, xml));
        }

        Assert.Equal(("größe", "next"), (s_xml.GetFormatter<Node>().Read(new(xml)).Name, s_newtonsoft.GetFormatter<Node>().Read(new(json)).Next!.Name));
    }

    private static byte[] Mutated(Random random, byte[] bytes)
    {
        byte[] changed = [.. bytes];
        for (var times = random.Next(1, 4); times > 0; times--)
            changed[random.Next(changed.Length)] = (byte)random.Next(256);
        return changed[..random.Next(changed.Length / 2, changed.Length + 1)];
    }

    private static void Quietly<T>(RpcFormatter<T> formatter, byte[] bytes)
    {
        try
        {
            formatter.Read(new ReadOnlySequence<byte>(bytes));
        }
        catch (RpcException bad)
        {
            Assert.Equal(RpcStatus.InvalidData, bad.Status);
        }
    }

    private static string Nested(int depth, string open, string close) => string.Concat(Enumerable.Repeat(open, depth)) + string.Concat(Enumerable.Repeat(close, depth));

    private static T Read<T>(RpcFormatter<T> formatter, string text) => formatter.Read(new ReadOnlySequence<byte>(Encoding.UTF8.GetBytes(text)));

    private static byte[] Bytes<T>(RpcFormatter<T> formatter, T value)
    {
        var buffer = new ArrayBufferWriter<byte>();
        formatter.Write(buffer, value);
        return buffer.WrittenSpan.ToArray();
    }

    public sealed class Node
    {
        public string? Name { get; set; }

        public int Count { get; set; }

        public Guid Id { get; set; }

        public DateTime At { get; set; }

        public byte[]? Bytes { get; set; }

        public List<string>? Tags { get; set; }

        public Node? Next { get; set; }
    }

    public sealed class Renamed
    {
        [JsonProperty("the value")]
        public int Value { get; set; }

        public DayOfWeek Day { get; set; }
    }

    public sealed class Holder
    {
        [JsonProperty(TypeNameHandling = TypeNameHandling.All)]
        public object? Anything { get; set; }

        public object? Named { get; set; }

        public object? Again { get; set; }
    }

    public sealed class Trap
    {
        public Trap() => Made++;

        public static int Made { get; private set; }

        public string? Text { get; set; }
    }

    [XmlRoot("marked")]
    public sealed class Marked
    {
        [XmlAttribute("no")]
        public int Number { get; set; }

        public List<Shape> Shapes { get; set; } = [];
    }

    [XmlInclude(typeof(Circle))]
    public abstract class Shape;

    public sealed class Circle : Shape
    {
        public int Radius { get; set; }
    }
}
