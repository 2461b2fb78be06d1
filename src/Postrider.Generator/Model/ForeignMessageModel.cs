using Postrider.Generators;

namespace Postrider.Generator.Model;

/// <summary>A message that a referenced project handles.</summary>
/// <param name="Message">The message.</param>
/// <param name="Kind">The kind of message.</param>
/// <param name="Response">The response or item type; <c>Unit</c> for commands, empty for notifications.</param>
/// <param name="ResponseBases">Base classes and interfaces of the response, itself first.</param>
/// <param name="Assembly">The name of the assembly that declares the message.</param>
/// <param name="HandledBy">The name of the assembly that handles it.</param>
internal sealed record ForeignMessageModel(
    TypeModel Message, MessageKind Kind, string Response, EquatableArray<string> ResponseBases, string Assembly, string HandledBy);
