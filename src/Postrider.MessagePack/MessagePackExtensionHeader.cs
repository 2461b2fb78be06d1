namespace Postrider.MessagePack;

/// <summary>The header before an extension's bytes.</summary>
/// <param name="Type">The type code: negative codes are reserved for the specification, the others are for applications.</param>
/// <param name="Length">Number of bytes that follow.</param>
public readonly record struct MessagePackExtensionHeader(sbyte Type, int Length);
