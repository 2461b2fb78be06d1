namespace Postrider.MessagePack;

/// <summary>How a context writes what has two forms on the wire; it reads both in any case.</summary>
[AttributeUsage(AttributeTargets.Class)]
public sealed class MessagePackCompatibilityAttribute : Attribute
{
    /// <summary>Write <see cref="Guid"/> and <see cref="decimal"/> as text, as MessagePack-CSharp's standard resolver does,
    /// instead of as 16 bytes, as its native resolvers do.</summary>
    public bool TextScalars { get; set; }
}
