namespace Postrider.MessagePack;

/// <summary>Names a handwritten formatter for a member or for every value of a type.</summary>
/// <param name="formatter">A struct that implements <see cref="IMessagePackFormatter{T}"/> of the member's type.</param>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Field | AttributeTargets.Class | AttributeTargets.Struct | AttributeTargets.Interface | AttributeTargets.Enum, Inherited = false)]
public sealed class MessagePackFormatterAttribute(Type formatter) : Attribute
{
    /// <summary>The formatter.</summary>
    public Type Formatter { get; } = formatter;
}
