namespace Postrider.Xml;

/// <summary>Lists a type that a context can write and read, on a partial class that derives from <see cref="XmlContext"/>.</summary>
/// <param name="type">The type: a data contract, a class with public members, an enumeration, a collection or a scalar.</param>
[AttributeUsage(AttributeTargets.Class, AllowMultiple = true)]
public sealed class XmlSerializableAttribute(Type type) : Attribute
{
    /// <summary>The type.</summary>
    public Type Type { get; } = type;
}
