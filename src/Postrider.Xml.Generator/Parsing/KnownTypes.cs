using System.Collections.Generic;
using Microsoft.CodeAnalysis;
using Postrider.Generators;

namespace Postrider.Xml.Generator.Parsing;

/// <summary>The formatters of the platform's types.</summary>
internal static class KnownTypes
{
    internal const string Library = "global::Postrider.Xml.Formatters.";
    internal const string Schema = "http://www.w3.org/2001/XMLSchema";
    internal const string Serialization = "http://schemas.microsoft.com/2003/10/Serialization/";
    internal const string Arrays = "http://schemas.microsoft.com/2003/10/Serialization/Arrays";
    internal const string Contracts = "http://schemas.datacontract.org/2004/07/";

    /// <summary>By the type's name: the formatter, the name in schemas, its namespace, and whether it can be null.</summary>
    internal static readonly Dictionary<string, (string Formatter, string Name, string Namespace, bool IsNillable)> Scalars = new()
    {
        ["bool"] = ("Boolean", "boolean", Schema, false),
        ["sbyte"] = ("Integer<sbyte>", "byte", Schema, false),
        ["byte"] = ("Integer<byte>", "unsignedByte", Schema, false),
        ["short"] = ("Integer<short>", "short", Schema, false),
        ["ushort"] = ("Integer<ushort>", "unsignedShort", Schema, false),
        ["int"] = ("Integer<int>", "int", Schema, false),
        ["uint"] = ("Integer<uint>", "unsignedInt", Schema, false),
        ["long"] = ("Integer<long>", "long", Schema, false),
        ["ulong"] = ("Integer<ulong>", "unsignedLong", Schema, false),
        ["float"] = ("Float<float>", "float", Schema, false),
        ["double"] = ("Float<double>", "double", Schema, false),
        ["decimal"] = ("Decimal", "decimal", Schema, false),
        ["char"] = ("Char", "char", Serialization, false),
        ["string"] = ("Text", "string", Schema, true),
        ["byte[]"] = ("Bytes", "base64Binary", Schema, true),
        ["System.Guid"] = ("Guid", "guid", Serialization, false),
        ["System.DateTime"] = ("DateTime", "dateTime", Schema, false),
        ["System.DateOnly"] = ("DateOnly", "date", Schema, false),
        ["System.TimeOnly"] = ("TimeOnly", "time", Schema, false),
        ["System.TimeSpan"] = ("TimeSpan", "duration", Serialization, false),
        ["System.DateTimeOffset"] = ("DateTimeOffset", "DateTimeOffset", Contracts + "System", false),
        ["System.Uri"] = ("Uri", "anyURI", Schema, true),
    };

    /// <summary>The factories of collections, by the definition's name.</summary>
    internal static readonly Dictionary<string, string> Collections = new()
    {
        ["System.Collections.Generic.List<T>"] = "ListAs",
        ["System.Collections.Generic.IList<T>"] = "ListAs",
        ["System.Collections.Generic.ICollection<T>"] = "ListAs",
        ["System.Collections.Generic.IEnumerable<T>"] = "ListAs",
        ["System.Collections.Generic.IReadOnlyList<T>"] = "ListAs",
        ["System.Collections.Generic.IReadOnlyCollection<T>"] = "ListAs",
        ["System.Collections.Generic.HashSet<T>"] = "SetAs",
        ["System.Collections.Generic.ISet<T>"] = "SetAs",
        ["System.Collections.Generic.IReadOnlySet<T>"] = "SetAs",
        ["System.Collections.Immutable.ImmutableArray<T>"] = "ImmutableArrayOf",
    };

    /// <summary>Dictionaries.</summary>
    internal static readonly HashSet<string> Maps =
    [
        "System.Collections.Generic.Dictionary<TKey, TValue>",
        "System.Collections.Generic.IDictionary<TKey, TValue>",
        "System.Collections.Generic.IReadOnlyDictionary<TKey, TValue>",
        "System.Collections.Generic.SortedDictionary<TKey, TValue>",
        "System.Collections.Generic.SortedList<TKey, TValue>",
    ];

    /// <summary>Whether a dictionary sorts its pairs.</summary>
    internal static bool IsSorted(INamedTypeSymbol type) => type.Name is "SortedDictionary" or "SortedList";

    /// <summary>Whether it is a pair type, which has the names of its fields, as in WCF.</summary>
    internal static bool IsPair(INamedTypeSymbol type) => SymbolNames.Known(type.OriginalDefinition) == "System.Collections.Generic.KeyValuePair<TKey, TValue>";

    internal static bool IsBuiltIn(string space) => space is Schema or Serialization;
}
