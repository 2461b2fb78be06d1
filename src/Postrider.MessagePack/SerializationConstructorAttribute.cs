namespace Postrider.MessagePack;

/// <summary>The constructor that makes a value that is read, where a type has several.</summary>
[AttributeUsage(AttributeTargets.Constructor)]
public sealed class SerializationConstructorAttribute : Attribute;
