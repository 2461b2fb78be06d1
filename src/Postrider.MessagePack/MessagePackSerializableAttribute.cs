namespace Postrider.MessagePack;

/// <summary>Lists a type that a context can write and read, on a partial class that derives from <see cref="MessagePackContext"/>.</summary>
/// <param name="type">The type: an object with <see cref="MessagePackObjectAttribute"/>, a union, or a collection, tuple or
/// scalar that has a formatter.</param>
[AttributeUsage(AttributeTargets.Class, AllowMultiple = true)]
public sealed class MessagePackSerializableAttribute(Type type) : Attribute
{
    /// <summary>The type.</summary>
    public Type Type { get; } = type;

    /// <summary>The name of the context's property; if null, the generator derives one from the type's name.</summary>
    public string? Name { get; set; }
}
