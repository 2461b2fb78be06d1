namespace Postrider.MessagePack;

/// <summary>Marks the constructor that creates a value that is read, for a type with several.</summary>
[AttributeUsage(AttributeTargets.Constructor)]
public sealed class SerializationConstructorAttribute : Attribute;
