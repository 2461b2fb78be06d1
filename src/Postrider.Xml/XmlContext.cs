using System.Collections.Frozen;
using Postrider.Xml.Elements;

namespace Postrider.Xml;

/// <summary>The formatters of some types. A partial class derives from it, lists its types with
/// <see cref="XmlSerializableAttribute"/>, and the generator writes the rest.</summary>
/// <remarks>The generator adds a property <c>Default</c>, and the formatters of every type reached from those listed. Scalars need not
/// be listed. Thread-safe.</remarks>
public abstract class XmlContext
{
    private readonly FrozenDictionary<Type, XmlType> _types;

    /// <summary>For generated code.</summary>
    /// <param name="types">The types.</param>
    /// <param name="schemas">The schemas of these types and of those reached from them.</param>
    protected XmlContext(IEnumerable<XmlType> types, IReadOnlyList<XmlSchemaType> schemas)
        => (_types, Schemas) = (types.ToFrozenDictionary(static t => t.Type), schemas);

    /// <summary>The types that the context knows besides the scalars.</summary>
    public IReadOnlyCollection<XmlType> Types => _types.Values;

    /// <summary>The schemas of these types and of those reached from them.</summary>
    public IReadOnlyList<XmlSchemaType> Schemas { get; }

    /// <summary>Gets a type, or null. Keep the result if it is used often: each call is a table lookup.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <returns>The type or null.</returns>
    public XmlType<T>? Find<T>() => (XmlType<T>?)(_types.GetValueOrDefault(typeof(T)) ?? XmlScalars.Find(typeof(T)));

    /// <summary>A type.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <returns>The type.</returns>
    /// <exception cref="XmlDataException"><see cref="XmlError.NoFormatter"/>: the context does not know it.</exception>
    public XmlType<T> Get<T>() => Find<T>() ?? throw new XmlDataException(
        XmlError.NoFormatter, $"{GetType()} does not include {typeof(T)}: add [XmlSerializable(typeof({typeof(T).Name}))] to it.");
}
