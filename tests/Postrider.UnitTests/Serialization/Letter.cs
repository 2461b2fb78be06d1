using System.Runtime.Serialization;
using System.Text.Json.Serialization;
using Postrider.MessagePack;
using Postrider.Xml;

namespace Postrider.UnitTests.Serialization;

/// <summary>A message that every format writes which takes C# classes.</summary>
[MessagePackObject]
[DataContract(Namespace = "")]
public sealed record Letter : IQuery<Letter>
{
    [Key(0), DataMember] public string? Title { get; set; }

    [Key(1), DataMember] public string? Remark { get; set; }

    [Key(2), DataMember] public List<LetterLine>? Lines { get; set; }

    [Key(3), DataMember] public byte[]? Enclosure { get; set; }
}

[MessagePackObject]
[DataContract(Namespace = "")]
public sealed record LetterLine
{
    [Key(0), DataMember] public string? Text { get; set; }

    [Key(1), DataMember] public List<int>? Numbers { get; set; }
}

internal sealed record FetchBytes(byte[] Content) : IQuery<byte[]>;

internal static class LetterHandlers
{
    [Handler]
    public static Letter Echo(Letter query) => query;

    [Handler]
    public static Note Echo(Note query) => query;

    [Handler]
    public static byte[] Fetch(FetchBytes query) => query.Content;
}

[JsonSerializable(typeof(Letter))]
[JsonSerializable(typeof(FetchBytes))]
internal sealed partial class LetterJson : JsonSerializerContext;

[MessagePackSerializable(typeof(Letter))]
internal sealed partial class LetterMessages : MessagePackContext;

[XmlSerializable(typeof(Letter))]
internal sealed partial class LetterXml : XmlContext;
