namespace Postrider.MessagePack;

/// <summary>What stands before an extension's bytes.</summary>
/// <param name="Type">The type code: negative ones belong to the specification, the others to applications.</param>
/// <param name="Length">How many bytes follow.</param>
public readonly record struct MessagePackExtensionHeader(sbyte Type, int Length);
