namespace Postrider.MessagePack.Generator.Model;

/// <summary>One of the types of a union.</summary>
/// <param name="Key">Its key on the wire.</param>
/// <param name="Type">Its full name.</param>
/// <param name="Formatter">Its formatter's full name.</param>
internal sealed record UnionCaseModel(int Key, string Type, string Formatter);
