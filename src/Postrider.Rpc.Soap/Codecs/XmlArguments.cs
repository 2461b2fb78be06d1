using System.Buffers;
using System.Text;
using Postrider.Serialization;
using Postrider.Xml;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap.Codecs;

/// <summary>Parameters as elements: alone, inside one called <c>parameters</c>.</summary>
internal sealed class XmlArguments<TFirst, TRest>(string name, XmlValue<TFirst> first, XmlParts<TRest>? rest, XmlLimits? limits) : XmlParts<RpcArguments<TFirst, TRest>>, IXmlNamed
{
    public byte[][] Names { get; } = [Encoding.UTF8.GetBytes(name), .. (rest as IXmlNamed)?.Names ?? []];

    public override IEnumerable<KeyValuePair<string, XmlType>> Describe(IReadOnlyList<string> names)
        => [.. first.Describe(names), .. rest?.Describe([.. names.Skip(1)]) ?? []];

    public override void WriteParts(ref ElementWriter writer, RpcArguments<TFirst, TRest> value, byte[][] names, int at)
    {
        first.WriteParts(ref writer, value.First, names, at);
        rest?.WriteParts(ref writer, value.Rest, names, at + 1);
    }

    public override bool TryReadPart(ref ElementReader reader, ref RpcArguments<TFirst, TRest> value, byte[][] names, int at, ref ulong seen)
        => first.TryReadPart(ref reader, ref value.First, names, at, ref seen) || (rest?.TryReadPart(ref reader, ref value.Rest, names, at + 1, ref seen) ?? false);

    public override void Write(IBufferWriter<byte> output, RpcArguments<TFirst, TRest> value)
    {
        try
        {
            var writer = new ElementWriter(output);
            var outer = writer.StartIn("parameters"u8, default);
            writer.DeclareInstance();
            WriteParts(ref writer, value, Names, 0);
            writer.EndIn("parameters"u8, outer);
            writer.Flush();
        }
        catch (XmlDataException bad)
        {
            throw InvalidValue(bad.Message, bad);
        }
    }

    public override RpcArguments<TFirst, TRest> Read(ReadOnlySpan<byte> input)
    {
        try
        {
            var reader = new ElementReader(input, limits);
            reader.MoveToRoot();
            var value = ReadParts(ref reader, Names);
            reader.MoveToEnd();
            return value;
        }
        catch (XmlDataException bad)
        {
            throw InvalidData(bad.Message, bad);
        }
    }

    public override RpcArguments<TFirst, TRest> Read(in ReadOnlySequence<byte> input) => input.IsSingleSegment ? Read(input.FirstSpan) : base.Read(input);
}
