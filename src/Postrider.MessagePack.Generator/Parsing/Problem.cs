using Microsoft.CodeAnalysis;

namespace Postrider.MessagePack.Generator.Parsing;

/// <summary>Something that is wrong.</summary>
/// <param name="Rule">What.</param>
/// <param name="At">Where: the member or type when it is in source, otherwise the context.</param>
/// <param name="Arguments">What the message names.</param>
internal sealed record Problem(Rule Rule, ISymbol At, string[] Arguments);
