namespace Postrider.MessagePack;

/// <summary>Marks the constructor that creates values when they are read, for a type with several.</summary>
[AttributeUsage(AttributeTargets.Constructor)]
public sealed class SerializationConstructorAttribute : Attribute;
