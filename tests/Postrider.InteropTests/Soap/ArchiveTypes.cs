using System.Runtime.Serialization;
using Postrider.Xml;

namespace Postrider.InteropTests.Soap;

[DataContract(Namespace = "urn:archive:types")]
public enum ArchiveLevel
{
    [EnumMember] Low,

    [EnumMember(Value = "very-high")] High,
}

[Flags]
[DataContract(Namespace = "urn:archive:types")]
public enum ArchiveRights
{
    [EnumMember] None = 0,

    [EnumMember] Read = 1,

    [EnumMember] Write = 2,

    [EnumMember] Remove = 4,
}

[DataContract(Namespace = "urn:archive:types")]
public class ArchiveLine
{
    [DataMember(IsRequired = true, Order = 2)] public string? Text { get; set; }

    [DataMember(Order = 1)] public int Number { get; set; }

    [DataMember(Name = "when", Order = 2)] public DateTime? Time { get; set; }
}

[DataContract(Name = "PageOf{0}", Namespace = "urn:archive:types")]
public class ArchivePage<T>
{
    [DataMember] public List<T>? Items { get; set; }

    [DataMember] public int Total { get; set; }
}

[DataContract(Namespace = "urn:archive:types")]
[KnownType(typeof(ArchiveCircle))]
[KnownType(typeof(ArchiveSquare))]
public class ArchiveShape
{
    [DataMember] public string? Colour { get; set; }
}

[DataContract(Namespace = "urn:archive:types")]
public class ArchiveCircle : ArchiveShape
{
    [DataMember] public double Radius { get; set; }
}

[DataContract(Name = "Quadrat", Namespace = "urn:archive:other")]
public class ArchiveSquare : ArchiveShape
{
    [DataMember] public double Side { get; set; }
}

/// <summary>Members that only the class itself sees.</summary>
[DataContract(Namespace = "urn:archive:types")]
public class ArchiveClosed
{
    [DataMember] private int _number;

    [DataMember] private string? Text { get; set; }

    public (int Number, string? Text) Content => (_number, Text);

    public static ArchiveClosed Of(int number, string text) => new() { _number = number, Text = text };
}

[DataContract(Namespace = "urn:archive:types")]
public struct ArchivePoint
{
    [DataMember] public int X { get; set; }

    [DataMember] public int Y { get; set; }
}

[DataContract(Namespace = "urn:archive:types")]
public class ArchiveSmall
{
    [DataMember] public byte Byte { get; set; }

    [DataMember] public sbyte SByte { get; set; }

    [DataMember] public short Short { get; set; }

    [DataMember] public ushort UShort { get; set; }

    [DataMember] public uint UInt { get; set; }

    [DataMember] public ulong ULong { get; set; }

    [DataMember] public char Character { get; set; }
}

[DataContract(Namespace = "urn:archive:types")]
public class ArchiveNode
{
    [DataMember] public string? Name { get; set; }

    [DataMember] public List<ArchiveNode>? Children { get; set; }
}

[CollectionDataContract(Name = "Tags", ItemName = "tag", Namespace = "urn:archive:types")]
public class ArchiveTags : List<string>;

/// <summary>Without attributes: its public members are its contract.</summary>
public class ArchivePlain
{
    public string? Text { get; set; }

    public int Number { get; set; }

    [IgnoreDataMember] public string? Left { get; set; }
}

[DataContract(Namespace = "urn:archive:types")]
public class ArchiveSparse
{
    [DataMember(EmitDefaultValue = false)] public string? Text { get; set; }

    [DataMember(EmitDefaultValue = false)] public int Number { get; set; }

    public bool IsRead { get; private set; }

    [OnDeserialized]
    internal void Read(StreamingContext context) => IsRead = true;
}

[DataContract(Namespace = "urn:archive:types")]
public class ArchiveMissing
{
    [DataMember] public string? Name { get; set; }
}

[DataContract(Namespace = "urn:archive:types")]
public class ArchiveDenied
{
    [DataMember] public ArchiveRights Needed { get; set; }
}

[XmlSerializable(typeof(IHttpArchive))]
[XmlSerializable(typeof(IUrnArchive))]
internal sealed partial class ArchiveXml : XmlContext;
