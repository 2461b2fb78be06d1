namespace Postrider.MessagePack;

/// <summary>How a context writes types that have two forms on the wire; it always reads both.</summary>
[AttributeUsage(AttributeTargets.Class)]
public sealed class MessagePackCompatibilityAttribute : Attribute
{
    /// <summary>Write <see cref="Guid"/> and <see cref="decimal"/> as text, as MessagePack-CSharp's standard resolver does,
    /// instead of as 16 bytes, as its native resolvers do.</summary>
    public bool TextScalars { get; set; }
}
