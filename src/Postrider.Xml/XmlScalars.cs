using System.Collections.Frozen;
using Postrider.Xml.Elements;
using Postrider.Xml.Formatters;

namespace Postrider.Xml;

/// <summary>The types that every context includes.</summary>
internal static class XmlScalars
{
    private static readonly FrozenDictionary<Type, XmlType> s_types = new XmlType[]
    {
        Schema<bool, Scalars.Boolean>("boolean"),
        Schema<sbyte, Scalars.Integer<sbyte>>("byte"),
        Schema<byte, Scalars.Integer<byte>>("unsignedByte"),
        Schema<short, Scalars.Integer<short>>("short"),
        Schema<ushort, Scalars.Integer<ushort>>("unsignedShort"),
        Schema<int, Scalars.Integer<int>>("int"),
        Schema<uint, Scalars.Integer<uint>>("unsignedInt"),
        Schema<long, Scalars.Integer<long>>("long"),
        Schema<ulong, Scalars.Integer<ulong>>("unsignedLong"),
        Schema<float, Scalars.Float<float>>("float"),
        Schema<double, Scalars.Float<double>>("double"),
        Schema<decimal, Scalars.Decimal>("decimal"),
        Schema<DateTime, Scalars.DateTime>("dateTime"),
        Schema<DateOnly, Scalars.DateOnly>("date"),
        Schema<TimeOnly, Scalars.TimeOnly>("time"),
        Schema<string, Scalars.Text>("string", isNillable: true),
        Schema<Uri, Scalars.Uri>("anyURI", isNillable: true),
        Schema<byte[], Scalars.Bytes>("base64Binary", isNillable: true),
        Own<char, Scalars.Char>("char"),
        Own<Guid, Scalars.Guid>("guid"),
        Own<TimeSpan, Scalars.TimeSpan>("duration"),
        Nullable<bool, Scalars.Boolean>("boolean"),
        Nullable<byte, Scalars.Integer<byte>>("unsignedByte"),
        Nullable<short, Scalars.Integer<short>>("short"),
        Nullable<int, Scalars.Integer<int>>("int"),
        Nullable<long, Scalars.Integer<long>>("long"),
        Nullable<float, Scalars.Float<float>>("float"),
        Nullable<double, Scalars.Float<double>>("double"),
        Nullable<decimal, Scalars.Decimal>("decimal"),
        Nullable<DateTime, Scalars.DateTime>("dateTime"),
        Nullable<DateOnly, Scalars.DateOnly>("date"),
        new XmlType<Guid?, WrapperFormatters.Nullable<Guid, Scalars.Guid>>("guid", XmlNamespaces.Serialization, "guid", XmlNamespaces.Serialization, isNillable: true),
        new XmlType<TimeSpan?, WrapperFormatters.Nullable<TimeSpan, Scalars.TimeSpan>>("duration", XmlNamespaces.Serialization, "duration", XmlNamespaces.Serialization, isNillable: true),
    }.ToFrozenDictionary(static t => t.Type);

    public static XmlType? Find(Type type) => s_types.GetValueOrDefault(type);

    private static XmlType<T, TFormatter> Schema<T, TFormatter>(string name, bool isNillable = false)
        where TFormatter : struct, IXmlFormatter<T>
        => new(name, XmlNamespaces.Serialization, name, XmlNamespaces.Schema, isNillable);

    private static XmlType<T, TFormatter> Own<T, TFormatter>(string name)
        where TFormatter : struct, IXmlFormatter<T>
        => new(name, XmlNamespaces.Serialization, name, XmlNamespaces.Serialization, isNillable: false);

    private static XmlType<T?, WrapperFormatters.Nullable<T, TFormatter>> Nullable<T, TFormatter>(string name)
        where T : struct
        where TFormatter : struct, IXmlFormatter<T>
        => new(name, XmlNamespaces.Serialization, name, XmlNamespaces.Schema, isNillable: true);
}
