using System.Runtime.Serialization;
using Postrider.Xml;

namespace Postrider.UnitTests.Xml;

[XmlSerializable(typeof(SortedDictionary<string, int>))]
[XmlSerializable(typeof(SortedList<int, string>))]
[XmlSerializable(typeof(KeyValuePair<int, string>))]
[XmlSerializable(typeof(List<KeyValuePair<string, Plain>>))]
[XmlSerializable(typeof(Branches))]
[XmlSerializable(typeof(List<Twig>))]
[XmlSerializable(typeof(Everything))]
[XmlSerializable(typeof(Plain))]
[XmlSerializable(typeof(Shape))]
[XmlSerializable(typeof(List<Shape>))]
[XmlSerializable(typeof(Page<Plain>))]
[XmlSerializable(typeof(Page<int>))]
[XmlSerializable(typeof(Names))]
[XmlSerializable(typeof(Renamed))]
[XmlSerializable(typeof(Spaceless))]
[XmlSerializable(typeof(Hidden))]
[XmlSerializable(typeof(Ranked))]
[XmlSerializable(typeof(Elsewhere.Far))]
[XmlSerializable(typeof(Node))]
[XmlSerializable(typeof(int[]))]
[XmlSerializable(typeof(List<Plain>))]
[XmlSerializable(typeof(List<List<string>>))]
[XmlSerializable(typeof(List<int?>))]
[XmlSerializable(typeof(Dictionary<string, int>))]
[XmlSerializable(typeof(Dictionary<Guid, Plain>))]
[XmlSerializable(typeof(Colour))]
[XmlSerializable(typeof(Rights))]
[XmlSerializable(typeof(Watched))]
[XmlSerializable(typeof(WatchedPoint))]
[XmlSerializable(typeof(WatchedRecord))]
internal sealed partial class Contracts : XmlContext;

public enum Colour
{
    Red,
    Green = 5,
    [EnumMember(Value = "navy-blue")] Navy,
}

[DataContract(Name = "Rights", Namespace = "urn:rights")]
[Flags]
public enum Rights : long
{
    [EnumMember] None = 0,
    [EnumMember(Value = "r")] Read = 1,
    [EnumMember(Value = "w")] Write = 2,
    [EnumMember] Both = 3,
    [EnumMember] Far = 1L << 40,
}

[DataContract]
public sealed record Everything
{
    [DataMember] public bool Bool { get; set; }
    [DataMember] public sbyte SByte { get; set; }
    [DataMember] public byte Byte { get; set; }
    [DataMember] public short Int16 { get; set; }
    [DataMember] public ushort UInt16 { get; set; }
    [DataMember] public int Int32 { get; set; }
    [DataMember] public uint UInt32 { get; set; }
    [DataMember] public long Int64 { get; set; }
    [DataMember] public ulong UInt64 { get; set; }
    [DataMember] public float Single { get; set; }
    [DataMember] public double Double { get; set; }
    [DataMember] public decimal Decimal { get; set; }
    [DataMember] public char Char { get; set; }
    [DataMember] public string? Text { get; set; }
    [DataMember] public Guid Guid { get; set; }
    [DataMember] public DateTime Time { get; set; }
    [DataMember] public DateTimeOffset Offset { get; set; }
    [DataMember] public TimeSpan Span { get; set; }
    [DataMember] public Uri? Uri { get; set; }
    [DataMember] public byte[]? Bytes { get; set; }
    [DataMember] public int? Maybe { get; set; }
    [DataMember] public Guid? MaybeGuid { get; set; }
    [DataMember] public Colour Colour { get; set; }
    [DataMember] public Rights Rights { get; set; }
    [DataMember] public Colour? MaybeColour { get; set; }
    [DataMember] public List<string?>? Texts { get; set; }
    [DataMember] public Colour[]? Colours { get; set; }
    [DataMember] public IList<Plain?>? Plains { get; set; }
    [DataMember] public Dictionary<string, Plain>? Map { get; set; }
    [DataMember] public Plain? Plain { get; set; }
}

public sealed class Plain
{
    public string? Zip;

    public int Number { get; set; }

    public string? City { get; set; }

    [IgnoreDataMember] public string? Secret { get; set; }

    public int Computed => Number * 2;
}

[DataContract(Namespace = "urn:shapes")]
[KnownType(typeof(Circle))]
[KnownType(typeof(Square))]
public abstract class Shape
{
    [DataMember] public string? Name { get; set; }
}

[DataContract(Namespace = "urn:shapes")]
public sealed class Circle : Shape
{
    [DataMember] public double Radius { get; set; }
}

[DataContract(Namespace = "urn:squares", Name = "Quadrat")]
public class Square : Shape
{
    [DataMember] public double Side { get; set; }
}

[DataContract]
public sealed class Page<T>
{
    [DataMember] public List<T>? Items { get; set; }

    [DataMember] public int Total { get; set; }
}

[CollectionDataContract(Name = "names", ItemName = "name", Namespace = "urn:names")]
public sealed class Names : List<string>;

[DataContract(Name = "renamed", Namespace = "urn:some?a=1&b=2")]
public sealed class Renamed
{
    [DataMember(Name = "zweite", Order = 2)] public string? A { get; set; }

    [DataMember(Name = "erste", Order = 1)] public string? B { get; set; }

    [DataMember] public string? C { get; set; }

    [DataMember(EmitDefaultValue = false)] public int Omitted { get; set; }

    [DataMember(IsRequired = true)] public int Needed { get; set; }
}

[DataContract(Namespace = "")]
public sealed class Spaceless
{
    [DataMember] public Plain? Inner { get; set; }

    [DataMember] public Spaceless? Same { get; set; }

    [DataMember] public string? Text { get; set; }
}

[DataContract]
public sealed class Hidden(string seed)
{
    [DataMember] private readonly int _unused = seed.Length;

    [DataMember] private string? _field;

    [DataMember] public string? Shown { get; private set; }

    public int Unused => _unused;

    public string? Field => _field;

    public static Hidden Of(string field, string shown) => new("seed") { _field = field, Shown = shown };
}

public sealed record Ranked(int Rank, string Name)
{
    public required string Title { get; init; }
}

[DataContract]
public sealed class Node
{
    [DataMember] public Node? Next { get; set; }

    [DataMember] public int Value { get; set; }
}

[DataContract]
public class WatchedBase
{
    [IgnoreDataMember] public List<string> Seen { get; private set; } = [];

    [DataMember] public string Name { get; set; } = "";

    protected void See(string what) => (Seen ??= []).Add($"{what} '{Name}'");

    [OnDeserialized]
    private void Read(StreamingContext context) => See("base read");

    [OnSerializing]
    private void Writing(StreamingContext context) => See("base writing");
}

[DataContract]
public sealed class Watched : WatchedBase
{
    [OnDeserializing]
    internal void Reading(StreamingContext context) => See("reading");

    [OnDeserialized]
    public void ReadAlso(StreamingContext context) => See("read");

    [OnSerializing]
    public void WritingAlso(StreamingContext context) => See("writing");

    [OnSerialized]
    private void Written(StreamingContext context) => See("written");
}

[DataContract]
public struct WatchedPoint
{
    [DataMember] public int X { get; set; }

    [OnDeserialized]
    private void Read(StreamingContext context) => X++;
}

public sealed record WatchedRecord(int Value)
{
    [IgnoreDataMember] public int Doubled { get; private set; }

    [OnDeserialized]
    private void Read(StreamingContext context) => Doubled = Value * 2;
}

[CollectionDataContract(ItemName = "Branch", Namespace = "urn:branches")]
public class Branches : List<Branch>;

[DataContract(Namespace = "urn:branches")]
public class Branch
{
    [DataMember] public string? Name { get; set; }

    [DataMember] public Branches? Inner { get; set; }
}

public class Twig
{
    public Dictionary<string, Twig>? ByName { get; set; }

    public List<Twig>? Twigs { get; set; }
}
